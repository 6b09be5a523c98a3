package io.leasehold.provider.lettuce;

import io.leasehold.redis.RespGate;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.pubsub.PubSubCommandHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.net.ProtocolException;
import java.util.Collection;

/** Has replies pass a {@link RespGate} before Lettuce reads them. */
final class Gated implements NettyCustomizer {

  @Override
  public void afterChannelInitialized(Channel channel) {
    ChannelHandlerContext reader = channel.pipeline().context(CommandHandler.class);
    boolean asks = !(reader.handler() instanceof PubSubCommandHandler); // or does it listen
    channel.pipeline().addBefore(reader.name(), "leasehold-gate", new Gate(asks));
  }

  /** Ends the connection at the first reply that is refused. */
  private static final class Gate extends ChannelDuplexHandler {
    private final RespGate gate = new RespGate();
    private final boolean asks;

    Gate(boolean asks) {
      this.asks = asks;
      expect(0);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      expect(message instanceof Collection<?> commands ? commands.size() : 1);
      var unused = context.write(message, promise);
    }

    private void expect(int replies) {
      if (asks) {
        gate.expect(replies);
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      try {
        gate.pass(bytes::getByte, bytes.readerIndex(), bytes.writerIndex());
        context.fireChannelRead(bytes);
      } catch (ProtocolException e) {
        bytes.release();
        context.fireExceptionCaught(e);
        var unused = context.close();
      }
    }
  }
}
