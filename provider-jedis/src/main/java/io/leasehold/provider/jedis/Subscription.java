package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;

/** A subscriber's channel on one server: a connection, and a thread that reads it. */
final class Subscription {
  /** After so long without a message a subscription ends: firewalls forget idle connections. */
  private static final int IDLE_MILLIS = 60_000;

  /** Completes with the confirmation, or with why there was none. */
  final CompletableFuture<Boolean> confirmed = new CompletableFuture<>();

  private final Calls calls;
  private final Node node;
  private volatile @Nullable Connection connection;
  private volatile boolean ended;
  private volatile long heardNanos;

  Subscription(Calls calls, Node node) {
    this.calls = calls;
    this.node = node;
  }

  /** Reads until the subscription ends or breaks. */
  void run(byte[] channel, Subscriber subscriber, Duration wait) {
    try {
      Connection opened = node.connect(wait);
      connection = opened;
      Calls.send(opened, RedisCommand.of("SUBSCRIBE", channel));
      if (subscriber.sharded()) {
        Calls.send(opened, RedisCommand.of("SSUBSCRIBE", channel));
      }
      String last = subscriber.sharded() ? "ssubscribe" : "subscribe";
      while (!ended && !calls.closed()) {
        if (receive(opened, subscriber).equals(last)) {
          opened.setSoTimeout(IDLE_MILLIS);
          confirmed.complete(true);
        }
      }
    } catch (Exception e) {
      confirmed.completeExceptionally(e);
    }
    end();
  }

  /** Passes a message on; returns the kind of what came. */
  private String receive(Connection opened, Subscriber subscriber) {
    List<?> parts;
    try {
      parts = (List<?>) opened.getOne();
    } catch (JedisDataException e) {
      if (String.valueOf(e.getMessage()).contains("unknown command")) { // before Redis 7
        return "ssubscribe";
      }
      throw e;
    }
    heardNanos = System.nanoTime();
    String kind = new String((byte[]) parts.get(0), StandardCharsets.US_ASCII);
    if (kind.endsWith("message")) {
      subscriber.message((byte[]) parts.get(2));
    } else if (kind.equals("sunsubscribe")) {
      throw new JedisConnectionException("the slot has moved");
    }
    return kind;
  }

  /** Whether it was confirmed, but nothing was heard for a time. */
  boolean isSilent(Duration time) {
    return confirmed.isDone() && System.nanoTime() - heardNanos >= time.toNanos();
  }

  /** Ends the connection, and with it the thread. Does not wait. */
  void end() {
    ended = true;
    confirmed.completeExceptionally(RedisConnectionFailure.closed());
    Connection last = connection;
    if (last != null) {
      calls.later(() -> node.discard(last));
    }
  }
}
