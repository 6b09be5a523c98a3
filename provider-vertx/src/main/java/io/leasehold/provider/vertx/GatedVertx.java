package io.leasehold.provider.vertx;

import io.leasehold.redis.LoopGate;
import io.leasehold.redis.RespGate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.vertx.core.Completable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxInternal;
import io.vertx.core.internal.VertxWrapper;
import io.vertx.core.internal.net.NetClientInternal;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.spi.metrics.Metrics;
import java.net.ProtocolException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A Vert.x between whose connections and the driver there is a {@link LoopGate}. The driver itself
 * has no place for that, but it asks its Vert.x for everything.
 */
final class GatedVertx extends VertxWrapper {

  GatedVertx(VertxInternal vertx) {
    super(vertx);
  }

  @Override
  public NetClient createNetClient(NetClientOptions options) {
    return new GatedClient((NetClientInternal) super.createNetClient(options));
  }

  /** Ends the connection at the first reply that is refused. */
  private static final class Gate extends ChannelDuplexHandler {
    private @Nullable LoopGate gate;

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      gate =
          new LoopGate(
              new RespGate(),
              context.executor(),
              context::flush,
              reason -> refuse(context, reason));
    }

    private static void refuse(ChannelHandlerContext context, ProtocolException reason) {
      context.fireExceptionCaught(reason);
      var unused = context.close();
    }

    /** A request, or several that are in one message, and are counted as one. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      gate().wrote(1);
      var unused = context.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext context) {
      gate().flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ByteBuf bytes = (ByteBuf) message;
      IntConsumer reader = count -> read(context, bytes, count);
      gate().came(bytes::getByte, bytes.readerIndex(), bytes.writerIndex(), reader);
    }

    private static void read(ChannelHandlerContext context, ByteBuf bytes, int count) {
      if (count == 0) {
        bytes.release();
        return;
      }
      boolean last = count == bytes.readableBytes();
      context.fireChannelRead(last ? bytes : bytes.readRetainedSlice(count));
      context.fireChannelReadComplete(); // before which Vert.x does not flush what it writes
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      gate().ended();
      context.fireChannelInactive();
    }

    private LoopGate gate() {
      return Objects.requireNonNull(gate);
    }
  }

  /** Another client, but for the way in which the driver connects. */
  private record GatedClient(NetClientInternal client) implements NetClientInternal {

    /** The gate is there on the event loop of the connection, before anything can be read. */
    @Override
    public void connectInternal(
        ConnectOptions options, Promise<NetSocket> promise, ContextInternal context) {
      Promise<NetSocket> connected = context.promise();
      connected.future().map(GatedClient::gated).onComplete(promise);
      client.connectInternal(options, connected, context);
    }

    private static NetSocket gated(NetSocket socket) {
      ChannelHandlerContext reader = ((NetSocketInternal) socket).channelHandlerContext();
      reader.pipeline().addBefore(reader.name(), "leasehold-gate", new Gate());
      return socket;
    }

    @Override
    public Future<NetSocket> connect(int port, String host) {
      return client.connect(port, host);
    }

    @Override
    public Future<NetSocket> connect(int port, String host, String serverName) {
      return client.connect(port, host, serverName);
    }

    @Override
    public Future<NetSocket> connect(SocketAddress address) {
      return client.connect(address);
    }

    @Override
    public Future<NetSocket> connect(SocketAddress address, String serverName) {
      return client.connect(address, serverName);
    }

    @Override
    public Future<NetSocket> connect(ConnectOptions options) {
      return client.connect(options);
    }

    @Override
    public Future<Void> shutdown(Duration within) {
      return client.shutdown(within);
    }

    @Override
    public Future<Boolean> updateSSLOptions(ClientSSLOptions options, boolean force) {
      return client.updateSSLOptions(options, force);
    }

    @Override
    public Metrics getMetrics() {
      return client.getMetrics();
    }

    @Override
    public Future<Void> closeFuture() {
      return client.closeFuture();
    }

    @Override
    public void close(Completable<Void> completion) {
      client.close(completion);
    }
  }
}
