package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** Listens on the one connection of a channel of its own, which a thread of its own reads. */
final class JedisListening implements RedisListening {
  private static final byte[] MESSAGE = "message".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SHARD_MESSAGE = "smessage".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] SHARD_LEFT = "sunsubscribe".getBytes(StandardCharsets.US_ASCII);

  private final JedisChannel channel;
  private final Connection connection;
  private final Events events;
  private final Queue<CompletableFuture<Object>> probes = new ConcurrentLinkedQueue<>();
  private final ReentrantLock writing = new ReentrantLock();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread reader;

  private JedisListening(JedisChannel channel, Connection connection, Events events, String name) {
    this.channel = channel;
    this.connection = connection;
    this.events = events;
    this.reader = new Thread(this::read, "leasehold-jedis-listener-" + name);
    reader.setDaemon(true);
  }

  /** Connects, subscribes, and begins to read; throws as the driver may fail. */
  static JedisListening start(
      JedisChannel channel, byte[] topic, Events events, Duration within, String name) {
    long end = System.nanoTime() + within.toNanos();
    Connection connection = channel.take(end);
    try {
      JedisChannel.tell(connection, List.of(RedisCommand.of("SUBSCRIBE", topic)), end);
      if (events.hearShard()) {
        hearShard(connection, topic, end);
      }
      connection.setSoTimeout(0); // there may be nothing to hear for hours
      JedisListening listening = new JedisListening(channel, connection, events, name);
      listening.reader.start();
      return listening;
    } catch (RuntimeException e) {
      throw channel.lost(connection, e);
    }
  }

  private static void hearShard(Connection connection, byte[] topic, long end) {
    try {
      JedisChannel.tell(connection, List.of(RedisCommand.of("SSUBSCRIBE", topic)), end);
    } catch (RedisErrorReply refused) {
      if (!RedisListening.isWithoutShard(refused)) {
        throw refused;
      }
    }
  }

  /** Completes with the end of its thread, soon after that of the connection. */
  CompletableFuture<?> ended() {
    boolean here = Thread.currentThread() == reader; // whose end nobody can await here
    return here ? CompletableFuture.completedFuture(null) : ended;
  }

  private void read() {
    try {
      while (true) {
        Object reply = connection.getUnflushedObject();
        if (isOf(MESSAGE, reply) || isOf(SHARD_MESSAGE, reply)) {
          events.message((byte[]) ((List<?>) reply).get(2));
        } else if (!isOf(SHARD_LEFT, reply)) { // the answer to a PING: nothing else is sent here
          Optional.ofNullable(probes.poll()).ifPresent(probe -> probe.complete(reply));
        }
      }
    } catch (RuntimeException e) {
      boolean expected = channel.closed();
      RuntimeException failure = channel.lost(connection, e);
      channel.close();
      probes.forEach(probe -> probe.completeExceptionally(failure));
      if (!expected) {
        events.broken();
      }
    } finally {
      ended.complete(null);
    }
  }

  private static boolean isOf(byte[] type, Object reply) {
    return reply instanceof List<?> push
        && push.get(0) instanceof byte[] given
        && Arrays.equals(type, given);
  }

  @Override
  public CompletionStage<?> probe(Duration within) {
    CompletableFuture<Object> probe = new CompletableFuture<>();
    writing.lock();
    try {
      probes.add(probe);
      if (!channel.closed()) {
        connection.sendCommand(Command.PING);
        connection.getMany(0); // flushes
      }
    } catch (RuntimeException e) {
      JedisChannel.cut(connection); // the reader notices
    } finally {
      writing.unlock();
    }
    if (channel.closed()) {
      JedisChannel.cut(connection); // again: Jedis connects anew before it writes
      probe.completeExceptionally(RedisConnectionFailure.closed());
    }
    return probe;
  }

  @Override
  public void close() {
    channel.close();
  }
}
