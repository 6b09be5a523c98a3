package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.pubsub.api.async.RedisPubSubAsyncCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A connection to a server, for commands or for subscriptions. */
final class Connection extends RedisPubSubAdapter<byte[], byte[]> {
  private static final ByteArrayCodec BYTES = ByteArrayCodec.INSTANCE;
  private static final RedisCommand ASKING = RedisCommand.of("ASKING");

  private final StatefulRedisConnection<byte[], byte[]> connection;
  final StatefulConnection<byte[], byte[]> whole; // to close; in a cluster the one around it
  private final Map<Subscriber, Subscription> subscriptions = new ConcurrentHashMap<>();

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

  /** Sends a command; with ASKING to a server that owns the key only soon. An error is a reply. */
  CompletionStage<Object> send(RedisCommand command, boolean ask) {
    if (ask) {
      send(ASKING, false);
    }
    Reply reply = new Reply();
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(BYTES);
    command.args().forEach(args::add);
    var call = new AsyncCommand<>(new Command<>(new Name(command.name()), reply, args));
    connection.dispatch(call);
    return call.thenApply(elements -> reply.isList ? elements : elements.get(0));
  }

  /** Sends commands, one behind the other. */
  CompletionStage<List<Object>> send(List<RedisCommand> commands, boolean ask) {
    List<CompletableFuture<Object>> replies =
        commands.stream().map(each -> send(each, ask).toCompletableFuture()).toList();
    return CompletableFuture.allOf(replies.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> replies.stream().map(CompletableFuture::join).toList());
  }

  /** Subscribes to a channel, unless that has been done; completes when the server confirms it. */
  synchronized CompletionStage<Void> subscribe(byte[] channel, Subscriber subscriber) {
    Subscription mine =
        subscriptions.computeIfAbsent(
            subscriber, each -> new Subscription(ByteBuffer.wrap(channel), begin(channel, each)));
    return mine.confirmed.whenComplete(
        (done, error) -> {
          if (error != null) {
            subscriptions.remove(subscriber, mine);
          }
        });
  }

  private CompletionStage<Void> begin(byte[] channel, Subscriber subscriber) {
    CompletionStage<Void> confirmed = pubSub().subscribe(channel);
    return subscriber.sharded()
        ? confirmed.thenCompose(
            done -> pubSub().ssubscribe(channel).exceptionally(Connection::tolerated))
        : confirmed;
  }

  /** A server before Redis 7 has no shard channels, and one that lost the slot refuses them. */
  private static @Nullable Void tolerated(Throwable error) {
    if (Connector.notAnswered(error) instanceof RedisErrorReply refused
        && refused.code().equals("NOPERM")) {
      throw refused;
    }
    return null;
  }

  /** Ends the subscription of a subscriber, if there is one. Does not wait. */
  synchronized void unsubscribe(Subscriber subscriber) {
    Subscription mine = subscriptions.remove(subscriber);
    if (mine != null && subscribers(mine.channel).findAny().isEmpty()) {
      byte[] channel = BYTES.decodeKey(mine.channel.duplicate());
      var unused = pubSub().unsubscribe(channel);
      if (subscriber.sharded()) {
        unused = pubSub().sunsubscribe(channel);
      }
    }
  }

  /** Ends all subscriptions, and has them begun anew. */
  void interrupt() {
    for (Subscriber each : subscriptions.keySet()) {
      unsubscribe(each);
      each.interrupted();
    }
  }

  @Override
  public void message(byte[] channel, byte[] payload) {
    subscribers(ByteBuffer.wrap(channel)).forEach(each -> each.message(payload));
  }

  @Override
  public void smessage(byte[] channel, byte[] payload) {
    message(channel, payload);
  }

  private Stream<Subscriber> subscribers(ByteBuffer channel) {
    return subscriptions.entrySet().stream()
        .filter(each -> each.getValue().channel.equals(channel))
        .map(Map.Entry::getKey);
  }

  private RedisPubSubAsyncCommands<byte[], byte[]> pubSub() {
    return ((StatefulRedisPubSubConnection<byte[], byte[]>) connection).async();
  }

  /** What a subscriber listens to. */
  private record Subscription(ByteBuffer channel, CompletionStage<Void> confirmed) {}

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

  /** Any reply. An error is a value here, so that Lettuce completes the command with it. */
  private static final class Reply extends NestedMultiOutput<byte[], byte[]> {
    private boolean isList;

    Reply() {
      super(BYTES);
    }

    @Override
    public void setSingle(ByteBuffer bytes) {
      set(bytes);
    }

    @Override
    public void setError(ByteBuffer error) {
      set(0);
      output.set(output.size() - 1, new RedisErrorReply(decodeString(error)));
    }

    @Override
    public void multi(int count) {
      isList = true;
      super.multi(count);
    }
  }
}
