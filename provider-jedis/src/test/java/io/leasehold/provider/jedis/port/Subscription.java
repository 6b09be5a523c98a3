package io.leasehold.provider.jedis.port;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** A subscriber's channel on one server: a thread that reads, and that connects again. */
final class Subscription implements Runnable {
  private static final long PAUSE_MILLIS = 100;

  /** How often to ask for a sign of life: firewalls forget connections that are idle. */
  private static final Duration PING = Duration.ofSeconds(15);

  /** Completes with the first confirmation, or with why there was none: then it has ended. */
  final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

  private final Calls calls;
  private final Node node;
  private final Subscriber subscriber;
  private final byte[] channel;
  private final Runnable lost;
  private final Thread thread = new Thread(this, "leasehold-jedis-subscription");
  private final CountDownLatch ended = new CountDownLatch(1);
  private final AtomicBoolean probing = new AtomicBoolean();
  private final ReentrantLock lock = new ReentrantLock(); // of connection, and of writing to it
  private volatile @Nullable Connection connection;
  private volatile boolean listening; // the connection has only pings to write
  private volatile boolean heard; // since the last ping
  private long failures; // since it last worked

  /**
   * @param lost called whenever the connection broke
   */
  Subscription(Calls calls, Node node, byte[] channel, Subscriber subscriber, Runnable lost) {
    this.calls = calls;
    this.node = node;
    this.channel = channel;
    this.subscriber = subscriber;
    this.lost = lost;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
    calls.schedule(this::keepAlive, PING);
  }

  @Override
  public void run() {
    while (ended.getCount() > 0) {
      try {
        listen();
      } catch (RuntimeException e) {
        if (confirmed.completeExceptionally(Failures.ofConnecting(e))) {
          ended.countDown();
        }
      }
      listening = false;
      cut(connection);
      if (ended.getCount() > 0) {
        lost.run();
        pause();
      }
    }
  }

  private void listen() {
    Connection opened = node.single().get();
    connection = opened;
    if (ended.getCount() == 0) {
      throw new JedisConnectionException("ended");
    }
    subscribe(opened, "SUBSCRIBE");
    if (subscriber.sharded()) {
      try {
        subscribe(opened, "SSUBSCRIBE");
      } catch (JedisDataException e) {
        if (!withoutShards(e)) {
          throw e;
        }
      }
    }
    opened.setSoTimeout(0); // pings show whether the connection is alive
    listening = true;
    failures = 0;
    if (!confirmed.complete(true)) {
      subscriber.restored();
    }
    while (true) {
      receive(opened.getUnflushedObject());
    }
  }

  private void subscribe(Connection opened, String command) {
    Exchange.send(opened, RedisCommand.of(command, channel));
    String confirmation = command.toLowerCase(Locale.ROOT);
    Object reply = opened.getOne();
    while (!confirmation.equals(kind(reply))) { // messages of the other channel may come first
      receive(reply);
      reply = opened.getUnflushedObject();
    }
  }

  /** A server before Redis 7 has no shard channels, a node that left the slot sends nothing. */
  private boolean withoutShards(JedisDataException error) {
    String message = String.valueOf(error.getMessage());
    boolean elsewhere = message.startsWith("MOVED ") || message.startsWith("CLUSTERDOWN");
    if (elsewhere) {
      lost.run();
    }
    return elsewhere || message.contains("unknown command");
  }

  private void receive(@Nullable Object reply) {
    heard = true;
    String kind = kind(reply);
    boolean message = kind.equals("message") || kind.equals("smessage");
    if (message && ((List<?>) Objects.requireNonNull(reply)).get(2) instanceof byte[] payload) {
      subscriber.message(payload);
    } else if (kind.equals("sunsubscribe")) { // the slot has moved
      throw new JedisConnectionException("the server ended the subscription");
    }
  }

  private static String kind(@Nullable Object reply) {
    return reply instanceof List<?> parts && parts.get(0) instanceof byte[] name
        ? new String(name, StandardCharsets.US_ASCII)
        : "";
  }

  private void keepAlive() {
    if (ended.getCount() > 0) {
      probe();
      calls.schedule(this::keepAlive, PING);
    }
  }

  /** Has the connection replaced if the server does not answer on it. Does not block. */
  void probe() {
    if (listening && probing.compareAndSet(false, true)) {
      calls.later(this::ping);
    }
  }

  private void ping() {
    Connection pinged = connection;
    if (pinged == null) {
      probing.set(false);
      return;
    }
    heard = false;
    calls.schedule(
        () -> {
          probing.set(false);
          if (!heard) {
            calls.later(() -> cut(pinged));
          }
        },
        calls.context.commandTimeout());
    lock.lock();
    try {
      if (listening
          && connection == pinged) { // Jedis would connect again if it was closed meanwhile
        Exchange.send(pinged, RedisCommand.of("PING"));
        pinged.getMany(0); // flushes
      }
    } finally {
      lock.unlock();
    }
  }

  private void cut(@Nullable Connection which) {
    lock.lock();
    try {
      if (which != null && connection == which) {
        connection = null;
        Exchange.discard(calls, which);
      }
    } finally {
      lock.unlock();
    }
  }

  private void pause() {
    try {
      ended.await(PAUSE_MILLIS * Math.min(++failures, 10), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      ended.countDown();
    }
  }

  /** Has it connect again. */
  void reconnect() {
    calls.later(() -> cut(connection));
  }

  void end() {
    ended.countDown();
    confirmed.completeExceptionally(RedisConnectionFailure.closed());
    reconnect();
  }

  /** Waits until the thread is gone, unless it is the caller's. */
  void join(long millis) {
    try {
      if (Thread.currentThread() != thread) {
        thread.join(millis);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
