package io.leasehold.provider.jedis;

import io.leasehold.redis.BoundedSocket;
import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.SharedConnection;
import io.leasehold.redis.Sharing;
import io.leasehold.redis.SocketWire;
import io.leasehold.redis.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.util.IOUtils;

/**
 * Connections of our own to one server. Not a pool of Jedis': that one connects in its own time and
 * in several round trips, and needs a thread to close what is idle.
 */
final class OwnConnections implements Connections {
  /** Servers and firewalls drop connections that are idle for minutes. */
  private static final long IDLE = TimeUnit.MINUTES.toNanos(1);

  /** A smaller pool is kept for those who need a connection of their own. */
  private static final int ROOM_TO_SHARE = 8;

  private final Endpoint server;
  private final ConnectionSettings settings;
  private final Optional<SSLSocketFactory> tls;
  private final Semaphore free;
  private final Sharing sharing;
  private final Set<OwnConnection> live = ConcurrentHashMap.newKeySet();
  private final Deque<OwnConnection> idle = new ArrayDeque<>(); // guarded by its monitor

  private OwnConnections(
      Endpoint server, ConnectionSettings settings, Optional<SSLSocketFactory> tls, int limit) {
    this.server = server;
    this.settings = settings;
    this.tls = tls;
    this.free = new Semaphore(limit);
    this.sharing = limit < ROOM_TO_SHARE ? Sharing.NEVER : new Sharing(this::share);
  }

  /** A driver with connections of its own, so many to each server. */
  static JedisDriver driver(ConnectionSettings settings, int limit) {
    Optional<SSLSocketFactory> tls = settings.tls().map(with -> with.context().getSocketFactory());
    return new JedisDriver(
        server -> new OwnConnections(server, settings, tls, limit), settings.connectTimeout());
  }

  @Override
  public Connection take(long end) throws InterruptedException {
    if (!free.tryAcquire() && !free.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new NoSuchElementException("as many connections as there may be are busy");
    }
    OwnConnection last = lastIdle();
    if (last != null && System.nanoTime() - last.idleSince < IDLE && last.isQuiet()) {
      return last;
    }
    if (last != null) {
      end(last);
      endIdle(); // the others have been idle for longer
    }
    return connect(end);
  }

  @Override
  public Sharing sharing() {
    return sharing;
  }

  /** A connection that is shared counts like any other. */
  private SharedConnection.@Nullable Wire share(long end) {
    if (!free.tryAcquire()) {
      return null;
    }
    OwnConnection connection = connect(end);
    return SocketWire.over(
        Objects.requireNonNull(connection.socket),
        () -> {
          end(connection);
          free.release();
        });
  }

  /**
   * Makes a connection, by then and within the connect timeout. One permit is given back if not.
   */
  private OwnConnection connect(long last) {
    long own = System.nanoTime() + settings.connectTimeout().toNanos();
    long end = own - last < 0 ? own : last;
    AtomicReference<@Nullable Socket> dialled = new AtomicReference<>();
    OwnConnection connection =
        new OwnConnection(
            () -> {
              if (dialled.get() != null) { // Jedis would do so when it finds it closed
                throw new JedisConnectionException("a connection is made once");
              }
              dialled.set(dial(end));
              return dialled.get();
            });
    live.add(connection);
    try {
      connection.connect();
      connection.socket = dialled.get();
      JedisChannel.tell(connection, settings.greeting(server), end);
      return connection;
    } catch (RuntimeException e) {
      end(connection);
      free.release();
      throw e;
    }
  }

  /**
   * Not with Jedis' own: that one gives each address of a host the whole time, and begins TLS with
   * the first command, when it is too late to say that nothing was sent.
   */
  private Socket dial(long end) {
    BoundedSocket socket = new BoundedSocket();
    try {
      socket.setKeepAlive(true);
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(server.host(), server.port()), JedisChannel.millis(end));
      if (tls.isEmpty()) {
        return socket.speaking(socket);
      }
      socket.setSoTimeout(JedisChannel.millis(end));
      SSLSocket safe =
          (SSLSocket) tls.get().createSocket(socket, server.host(), server.port(), true);
      SSLParameters parameters = safe.getSSLParameters();
      boolean verify = settings.tls().map(Tls::verifiesHost).orElse(true);
      parameters.setEndpointIdentificationAlgorithm(verify ? "HTTPS" : null);
      safe.setSSLParameters(parameters);
      safe.startHandshake();
      return socket.speaking(safe);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeQuietly(socket);
      throw new JedisConnectionException(e);
    }
  }

  @Override
  public void giveBack(Connection connection) {
    OwnConnection own = (OwnConnection) connection;
    if (own.isBroken()) {
      live.remove(own);
    } else {
      own.idleSince = System.nanoTime();
      synchronized (idle) {
        idle.addFirst(own);
      }
    }
    free.release();
  }

  @Override
  public void cutTaken() {
    live.forEach(JedisChannel::cut);
  }

  @Override
  public void dropIdle() {
    endIdle();
    sharing.retire();
  }

  private void endIdle() {
    for (OwnConnection next = lastIdle(); next != null; next = lastIdle()) {
      end(next);
    }
  }

  private @Nullable OwnConnection lastIdle() {
    synchronized (idle) {
      return idle.pollFirst();
    }
  }

  private void end(OwnConnection connection) {
    JedisChannel.cut(connection);
    live.remove(connection);
  }
}
