package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One connection, on which the commands of all its users are pipelined. */
final class LettuceChannel extends LettuceConnection<StatefulRedisConnection<byte[], byte[]>>
    implements RedisChannel {
  private final Object order = new Object();
  private final int queueSize;
  private final AtomicInteger waiting = new AtomicInteger();

  LettuceChannel(
      StatefulRedisConnection<byte[], byte[]> connection,
      Set<LettuceConnection<?>> open,
      int queueSize,
      Runnable broken) {
    super(connection, open, broken);
    this.queueSize = queueSize;
  }

  @Override
  public CompletionStage<List<Object>> send(List<RedisCommand> commands, Duration within) {
    int size = commands.size();
    // Lettuce has such a bound, too, but may refuse some commands of a send and not others.
    if (waiting.addAndGet(size) > queueSize && size > 0) {
      waiting.addAndGet(-size);
      return CompletableFuture.failedFuture(RedisConnectionFailure.overloaded());
    }
    List<Sent> sent = commands.stream().map(Sent::new).toList();
    CompletableFuture<?> all =
        CompletableFuture.allOf(sent.toArray(new Sent[0]))
            .whenComplete((done, error) -> waiting.addAndGet(-size));
    try {
      // Lettuce writes one after the other; commands of two sends must not be mixed.
      synchronized (order) {
        connection.dispatch(sent);
      }
    } catch (RuntimeException e) { // the client is being closed
      sent.forEach(command -> command.completeExceptionally(e));
    }
    return answer(all.thenApply(done -> sent.stream().map(Sent::join).toList()));
  }

  private static final class Sent extends AsyncCommand<byte[], byte[], @Nullable Object> {
    Sent(RedisCommand command) {
      super(new Command<>(new Name(command.name()), new ReplyOutput(), args(command)));
    }

    private static CommandArgs<byte[], byte[]> args(RedisCommand command) {
      CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
      command.args().forEach(args::add);
      return args;
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
