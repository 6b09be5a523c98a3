package io.leasehold.provider.jedis;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
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

  private final Endpoint server;
  private final ConnectionSettings settings;
  private final Optional<SSLSocketFactory> tls;
  private final List<RedisCommand> greetings = new ArrayList<>();
  private final Semaphore free;
  private final Deque<Idle> idle = new ConcurrentLinkedDeque<>();

  private record Idle(Connection connection, long since) {}

  OwnConnections(
      Endpoint server, ConnectionSettings settings, Optional<SSLSocketFactory> tls, int limit) {
    this.server = server;
    this.settings = settings;
    this.tls = tls;
    this.free = new Semaphore(limit);
    if (server.kind() == Endpoint.Kind.DATA) {
      List<Object> login = new ArrayList<>();
      settings.user().ifPresent(login::add);
      settings.password().ifPresent(password -> login.add(password.reveal()));
      if (settings.password().isPresent()) {
        greetings.add(RedisCommand.of("AUTH", login.toArray()));
      }
      if (settings.database() != 0) {
        greetings.add(RedisCommand.of("SELECT", settings.database()));
      }
      settings.clientName().ifPresent(n -> greetings.add(RedisCommand.of("CLIENT", "SETNAME", n)));
    }
  }

  @Override
  public Connection take(long end, Set<Connection> busy) throws InterruptedException {
    if (!free.tryAcquire() && !free.tryAcquire(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new NoSuchElementException("as many connections as there may be are busy");
    }
    Idle last = idle.pollFirst();
    if (last != null && System.nanoTime() - last.since < IDLE) {
      busy.add(last.connection);
      return last.connection;
    }
    if (last != null) {
      JedisChannel.cut(last.connection);
      dropIdle(); // the others have been idle for longer
    }
    long connected = System.nanoTime() + settings.connectTimeout().toNanos();
    return connect(connected - end < 0 ? connected : end, busy);
  }

  private Connection connect(long end, Set<Connection> busy) {
    AtomicBoolean dialled = new AtomicBoolean();
    Connection connection =
        new Connection(
            () -> {
              if (dialled.getAndSet(true)) { // Jedis would do so when it finds it closed
                throw new JedisConnectionException("a connection is made once");
              }
              return dial(end);
            });
    busy.add(connection);
    try {
      connection.connect();
      for (Object reply : JedisChannel.exchange(connection, greetings, end)) {
        if (reply instanceof RedisErrorReply refused) {
          throw refused;
        }
      }
      return connection;
    } catch (RuntimeException e) {
      JedisChannel.cut(connection);
      busy.remove(connection);
      free.release();
      throw e;
    }
  }

  private Socket dial(long end) {
    Socket socket = new Socket();
    try {
      socket.setKeepAlive(true);
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(server.host(), server.port()), JedisChannel.millis(end));
      if (tls.isEmpty()) {
        return socket;
      }
      socket.setSoTimeout(JedisChannel.millis(end));
      SSLSocket safe =
          (SSLSocket) tls.get().createSocket(socket, server.host(), server.port(), true);
      SSLParameters parameters = safe.getSSLParameters();
      boolean verify = settings.tls().map(Tls::verifiesHost).orElse(true);
      parameters.setEndpointIdentificationAlgorithm(verify ? "HTTPS" : null);
      safe.setSSLParameters(parameters);
      safe.startHandshake();
      return safe;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeQuietly(socket);
      throw new JedisConnectionException(e);
    }
  }

  @Override
  public void giveBack(Connection connection) {
    if (!connection.isBroken()) {
      idle.addFirst(new Idle(connection, System.nanoTime()));
    }
    free.release();
  }

  @Override
  public void dropIdle() {
    for (Idle next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
      JedisChannel.cut(next.connection);
    }
  }

  @Override
  public void close() {
    dropIdle();
  }
}
