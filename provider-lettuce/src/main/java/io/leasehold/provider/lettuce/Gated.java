package io.leasehold.provider.lettuce;

import io.leasehold.redis.RespGate;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.ProtocolException;

/** Has replies pass a {@link RespGate} before Lettuce reads them. */
final class Gated implements NettyCustomizer {

  @Override
  public void afterChannelInitialized(Channel channel) {
    String reader = channel.pipeline().context(CommandHandler.class).name();
    channel.pipeline().addBefore(reader, "leasehold-gate", new Gate());
  }

  /** Ends the connection at the first reply that is refused. */
  private static final class Gate extends ChannelInboundHandlerAdapter {
    private final RespGate gate = new RespGate();

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      try {
        gate.pass(bytes::getByte, bytes.readerIndex(), bytes.writerIndex());
        context.fireChannelRead(bytes);
      } catch (ProtocolException e) {
        bytes.release();
        context.fireExceptionCaught(e);
        context.close();
      }
    }
  }
}
