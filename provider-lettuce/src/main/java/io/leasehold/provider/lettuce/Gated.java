package io.leasehold.provider.lettuce;

import io.leasehold.redis.Gathering;
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
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Has replies pass a {@link RespGate} before Lettuce reads them, and sends requests by {@link
 * Gathering}.
 */
final class Gated implements NettyCustomizer {

  @Override
  public void afterChannelInitialized(Channel channel) {
    ChannelHandlerContext reader = channel.pipeline().context(CommandHandler.class);
    boolean listens = reader.handler() instanceof PubSubCommandHandler;
    channel
        .pipeline()
        .addBefore(reader.name(), "leasehold-gate", listens ? new Gate() : new AskingGate());
  }

  /** Ends the connection at the first reply that is refused. */
  static class Gate extends ChannelDuplexHandler {
    final RespGate gate = new RespGate();

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

  /** The same, where each reply is one to a request. */
  static final class AskingGate extends Gate {
    private @Nullable Gathering gathering;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      gate.expect(0);
      gathering = new Gathering(context.executor(), context::flush);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      int requests = message instanceof Collection<?> commands ? commands.size() : 1;
      gate.expect(requests);
      gathering().wrote(requests);
      var unused = context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      gathering().flush(gate.begun());
    }

    private Gathering gathering() {
      return Objects.requireNonNull(gathering);
    }
  }
}
