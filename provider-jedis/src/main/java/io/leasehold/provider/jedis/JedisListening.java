package io.leasehold.provider.jedis;

import io.leasehold.redis.Hearing;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisListening;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Protocol.Command;

/** Listens on the one connection of a channel of its own, which a thread of its own reads. */
final class JedisListening implements RedisListening {
  private static final String SHARD = "SSUBSCRIBE";

  private final JedisChannel channel;
  private final Connection connection;
  private final Events events;
  private final Hearing hearing;
  private final ReentrantLock writing = new ReentrantLock();
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final Thread reader;

  private JedisListening(JedisChannel channel, Connection connection, Events events, String name) {
    this.channel = channel;
    this.connection = connection;
    this.events = events;
    this.hearing = new Hearing(events);
    this.reader = new Thread(this::read, "leasehold-jedis-listener-" + name);
    reader.setDaemon(true);
  }

  /** Connects, subscribes, and begins to read; throws as the driver may fail. */
  static JedisListening start(
      JedisChannel channel, byte[] topic, Events events, Duration within, String name) {
    long end = System.nanoTime() + within.toNanos();
    Connection connection = channel.take(end);
    try {
      JedisListening listening = new JedisListening(channel, connection, events, name);
      listening.subscribe("SUBSCRIBE", topic, end);
      if (events.hearShard()) {
        listening.subscribe(SHARD, topic, end);
      }
      connection.setSoTimeout(0); // there may be nothing to hear for hours
      listening.reader.start();
      return listening;
    } catch (RuntimeException e) {
      throw channel.lost(connection, e);
    }
  }

  private void subscribe(String command, byte[] topic, long end) {
    CompletableFuture<Boolean> confirmed = new CompletableFuture<>();
    hearing.asking(Word.CONFIRMED, confirmed);
    JedisChannel.write(connection, RedisCommand.of(command, topic), end);
    while (!confirmed.isDone()) { // messages may come first, on what was subscribed to before
      Object reply = JedisChannel.next(connection, end);
      hearing.heard(reply);
      if (reply instanceof RedisErrorReply refused
          && !(command.equals(SHARD) && RedisListening.isWithoutShard(refused))) {
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
        hearing.heard(connection.getUnflushedObject());
      }
    } catch (RuntimeException e) {
      boolean expected = channel.closed();
      RuntimeException failure = channel.lost(connection, e);
      channel.close();
      hearing.ended(failure);
      if (!expected) {
        events.broken();
      }
    } finally {
      ended.complete(null);
    }
  }

  @Override
  public CompletionStage<?> probe(Duration within) {
    CompletableFuture<Boolean> probe = new CompletableFuture<>();
    writing.lock();
    try {
      hearing.asking(Word.PONG, probe);
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
