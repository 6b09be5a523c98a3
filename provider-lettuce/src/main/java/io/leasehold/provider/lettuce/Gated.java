package io.leasehold.provider.lettuce;

import io.leasehold.redis.LoopGate;
import io.leasehold.redis.Outbox;
import io.leasehold.redis.RespGate;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.RedisCommand;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.net.ProtocolException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Puts a {@link LoopGate} between each connection and Lettuce, and knows their event loops. */
final class Gated implements NettyCustomizer {
  private final Map<Object, Executor> loops = new ConcurrentHashMap<>(); // by Lettuce's end points

  @Override
  public void afterChannelInitialized(Channel channel) {
    String reader = channel.pipeline().context(CommandHandler.class).name();
    channel.pipeline().addBefore(reader, "leasehold-gate", new Gate());
    Object endpoint = channel.pipeline().get(CommandHandler.class).getEndpoint();
    loops.put(endpoint, channel.eventLoop());
    channel.closeFuture().addListener(closed -> loops.remove(endpoint));
  }

  /** A new one for a connection, in which what is sent on it is put. */
  Outbox outbox(StatefulConnection<?, ?> connection) {
    Object endpoint = ((RedisChannelHandler<?, ?>) connection).getChannelWriter();
    Executor loop = loops.get(endpoint);
    return loop == null ? Outbox.ofCallers() : Outbox.of(loop); // none: it is closed already
  }

  /** Counts requests, and ends the connection at the first reply that is refused. */
  static final class Gate extends ChannelDuplexHandler {
    private final RespGate gate = new RespGate();
    private @Nullable LoopGate both;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      gate.expect(0);
      both =
          new LoopGate(gate, context.executor(), context::flush, reason -> refuse(context, reason));
    }

    private static void refuse(ChannelHandlerContext context, ProtocolException reason) {
      context.fireExceptionCaught(reason);
      var unused = context.close();
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      if (message instanceof RedisCommand<?, ?, ?> command
          && command.getType() == CommandType.SUBSCRIBE) {
        gate.listen(); // the server has answered all that was said before
      }
      int requests = message instanceof Collection<?> commands ? commands.size() : 1;
      gate.expect(requests);
      both().wrote(requests);
      var unused = context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      both().flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      IntConsumer reader = count -> read(context, bytes, count);
      both().came(bytes::getByte, bytes.readerIndex(), bytes.writerIndex(), reader);
    }

    private static void read(ChannelHandlerContext context, ByteBuf bytes, int count) {
      if (count == 0) {
        bytes.release();
        return;
      }
      boolean last = count == bytes.readableBytes();
      context.fireChannelRead(last ? bytes : bytes.readRetainedSlice(count));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      both().ended();
      context.fireChannelInactive();
    }

    private LoopGate both() {
      return Objects.requireNonNull(both);
    }
  }
}
