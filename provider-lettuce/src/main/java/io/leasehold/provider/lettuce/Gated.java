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

/**
 * Has replies pass a {@link RespGate} before Lettuce reads them, and requests of several threads go
 * to the socket together.
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

  /**
   * The same, where each reply is one to a request.
   *
   * <p>Lettuce flushes after each request, which costs a system call here and another one at the
   * server. While others wait for replies there are likely to be more requests among what the event
   * loop has to do anyway, and a flush waits until that is done. Whoever is alone is not kept
   * waiting.
   */
  static final class AskingGate extends Gate {
    /**
     * So many go together, no more: a server answers together what came together, and while it
     * works on all of them there is nothing to do here. Measured with 16 threads: 2 and 3 give a
     * tenth more than 1, 4 no more, and all that there are give less.
     */
    private static final int MOST = 3;

    private int unsent;
    private boolean putOff;

    AskingGate() {
      gate.expect(0);
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      int requests = message instanceof Collection<?> commands ? commands.size() : 1;
      gate.expect(requests);
      unsent += requests;
      var unused = context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      if (unsent >= MOST || gate.owed() == unsent) {
        send(context);
      } else if (!putOff) {
        putOff = true;
        context
            .executor()
            .execute(
                () -> {
                  putOff = false;
                  send(context);
                });
      }
    }

    private void send(ChannelHandlerContext context) {
      unsent = 0;
      context.flush();
    }
  }
}
