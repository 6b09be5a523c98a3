package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A connection to a server, for commands or for subscriptions. */
final class Connection extends RedisPubSubAdapter<byte[], byte[]> {
  /** How many exchanges have ended: a server that answers nothing for a timeout is left. */
  final AtomicLong replies = new AtomicLong();

  private final StatefulRedisConnection<byte[], byte[]> connection;
  private final StatefulConnection<byte[], byte[]> whole;
  private final Map<ByteBuffer, Subscription> subscriptions = new ConcurrentHashMap<>();

  /**
   * @param whole what to close: the connection, or the one to a cluster to which it belongs
   */
  Connection(
      StatefulRedisConnection<byte[], byte[]> connection,
      StatefulConnection<byte[], byte[]> whole) {
    this.connection = connection;
    this.whole = whole;
    if (connection instanceof StatefulRedisPubSubConnection<byte[], byte[]> pubSub) {
      pubSub.addListener(this);
    }
  }

  /** Runs an action when the connection breaks; at once if it is broken already. */
  void onBreak(Runnable action) {
    connection.addListener(
        new RedisConnectionStateListener() {
          @Override
          public void onRedisDisconnected(RedisChannelHandler<?, ?> lost) {
            action.run();
          }
        });
    if (!connection.isOpen()) {
      action.run();
    }
  }

  /** Closes it; what is pending fails. Does not wait. */
  CompletableFuture<Void> close() {
    return whole.closeAsync();
  }

  /** Sends a command. An error reply is a reply; a failure means that none will come. */
  CompletionStage<Object> send(RedisCommand command) {
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    command.args().forEach(args::add);
    ReplyOutput output = new ReplyOutput();
    var call = new AsyncCommand<>(new Command<>(new Name(command.name()), output, args));
    try {
      connection.dispatch(call);
    } catch (RuntimeException e) { // the client is being closed
      call.completeExceptionally(e);
    }
    return call.thenApply(list -> output.reply());
  }

  /** Subscribes to a channel, unless that has been done; completes when the server confirms it. */
  CompletionStage<Void> subscribe(byte[] channel, Subscriber subscriber) {
    ByteBuffer name = ByteBuffer.wrap(channel);
    Subscription mine =
        subscriptions.compute(
            name,
            (same, known) -> {
              Subscription now =
                  known == null ? new Subscription(begin(channel, subscriber)) : known;
              now.subscribers.add(subscriber);
              return now;
            });
    return mine.confirmed.whenComplete(
        (done, error) -> {
          if (error != null) {
            subscriptions.remove(name, mine);
          }
        });
  }

  private CompletionStage<Void> begin(byte[] channel, Subscriber subscriber) {
    CompletionStage<Void> confirmed = pubSub().subscribe(channel);
    return subscriber.sharded()
        ? confirmed.thenCompose(done -> pubSub().ssubscribe(channel).handle(Connection::tolerated))
        : confirmed;
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

  /** Ends the subscription of a subscriber, if there is one. Does not wait. */
  void unsubscribe(Subscriber subscriber) {
    for (ByteBuffer name : subscriptions.keySet()) {
      subscriptions.computeIfPresent(
          name,
          (same, known) ->
              known.subscribers.remove(subscriber) && known.subscribers.isEmpty()
                  ? ended(ByteArrayCodec.INSTANCE.decodeKey(name.duplicate()), subscriber)
                  : known);
    }
  }

  private @Nullable Subscription ended(byte[] channel, Subscriber subscriber) {
    var unused = pubSub().unsubscribe(channel);
    if (subscriber.sharded()) {
      unused = pubSub().sunsubscribe(channel);
    }
    return null;
  }

  /** Tells the subscribers that they may miss messages. */
  void interrupt() {
    subscriptions.values().forEach(each -> each.subscribers.forEach(Subscriber::interrupted));
  }

  @Override
  public void message(byte[] channel, byte[] payload) {
    Subscription known = subscriptions.get(ByteBuffer.wrap(channel));
    if (known != null) {
      known.subscribers.forEach(subscriber -> subscriber.message(payload));
    }
  }

  @Override
  public void smessage(byte[] channel, byte[] payload) {
    message(channel, payload);
  }

  private RedisPubSubAsyncCommands<byte[], byte[]> pubSub() {
    return ((StatefulRedisPubSubConnection<byte[], byte[]>) connection).async();
  }

  /** Who listens to a channel. */
  private record Subscription(CompletionStage<Void> confirmed, Set<Subscriber> subscribers) {
    Subscription(CompletionStage<Void> confirmed) {
      this(confirmed, ConcurrentHashMap.newKeySet());
    }
  }

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
