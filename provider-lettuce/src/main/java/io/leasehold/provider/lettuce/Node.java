package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A connection to one server: the commands or the subscriptions on it. */
final class Node {
  final Link link;

  /** Host and port, or what Sentinel calls the primary. */
  final String address;

  /** How many replies have come: a connection that answers nothing for a timeout is given up. */
  final AtomicLong replies = new AtomicLong();

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final Map<ByteBuffer, Topic> topics = new ConcurrentHashMap<>();

  Node(Link link, String address, StatefulRedisConnection<byte[], byte[]> connection) {
    this.link = link;
    this.address = address;
    this.connection = connection;
    if (connection instanceof StatefulRedisPubSubConnection<byte[], byte[]> listening) {
      listening.addListener(
          new RedisPubSubAdapter<>() {
            @Override
            public void message(byte[] channel, byte[] payload) {
              Topic topic = topics.get(ByteBuffer.wrap(channel));
              if (topic != null) {
                topic.subscribers.forEach(subscriber -> subscriber.message(payload));
              }
            }

            @Override
            public void smessage(byte[] channel, byte[] payload) {
              message(channel, payload);
            }
          });
    }
  }

  /** Its host, in a cluster. */
  String host() {
    return address.substring(0, address.lastIndexOf(':'));
  }

  /** Sends a command. An error reply is a reply; a failure means that none will come. */
  CompletionStage<Object> send(RedisCommand command) {
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    command.args().forEach(args::add);
    AsyncCommand<byte[], byte[], Object> call =
        new AsyncCommand<>(new Command<>(new Name(command.name()), new ReplyOutput(), args));
    try {
      connection.dispatch(call);
    } catch (RuntimeException e) { // the client is being closed
      call.completeExceptionally(e);
    }
    return call;
  }

  /** Subscribes to a channel, unless that has been done; completes when the server confirms it. */
  CompletionStage<Void> subscribe(byte[] channel, Subscriber subscriber) {
    ByteBuffer name = ByteBuffer.wrap(channel);
    Topic topic =
        topics.compute(
            name,
            (same, known) -> {
              Topic now = known == null ? new Topic(channel, subscriber.sharded()) : known;
              now.subscribers.add(subscriber);
              return now;
            });
    return topic.confirmed.whenComplete(
        (done, error) -> {
          if (error != null) {
            topics.remove(name, topic);
          }
        });
  }

  /** Ends what a subscriber has begun here. Does not wait. */
  void unsubscribe(Subscriber subscriber) {
    for (ByteBuffer name : topics.keySet()) {
      topics.computeIfPresent(name, (same, topic) -> topic.isEndedBy(subscriber) ? null : topic);
    }
  }

  /** Tells all subscribers that their subscriptions are gone. */
  void interrupt() {
    topics.values().forEach(topic -> topic.subscribers.forEach(Subscriber::interrupted));
  }

  /** A channel, and who listens to it. */
  private final class Topic {
    private final byte[] channel;
    private final boolean sharded;
    private final RedisPubSubAsyncCommands<byte[], byte[]> server;
    private final CompletionStage<Void> confirmed;
    private final Set<Subscriber> subscribers = ConcurrentHashMap.newKeySet();

    Topic(byte[] channel, boolean sharded) {
      this.channel = channel;
      this.sharded = sharded;
      this.server = ((StatefulRedisPubSubConnection<byte[], byte[]>) connection).async();
      CompletionStage<Void> plain = server.subscribe(channel);
      this.confirmed =
          sharded
              ? plain.thenCompose(done -> server.ssubscribe(channel).handle(Topic::tolerated))
              : plain;
    }

    /** A server before Redis 7 has no shard channels, and one that lost the slot refuses them. */
    private static @Nullable Void tolerated(@Nullable Void done, @Nullable Throwable error) {
      if (error != null
          && LettuceErrors.ofCommand(error) instanceof RedisErrorReply refused
          && refused.code().equals("NOPERM")) {
        throw refused;
      }
      return null;
    }

    boolean isEndedBy(Subscriber subscriber) {
      boolean ended = subscribers.remove(subscriber) && subscribers.isEmpty();
      if (ended) {
        var unused = server.unsubscribe(channel);
        if (sharded) {
          var unusedToo = server.sunsubscribe(channel);
        }
      }
      return ended;
    }
  }

  /** What a command is called. */
  private record Name(String text) implements ProtocolKeyword {
    @Override
    public byte[] getBytes() {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
