package io.leasehold.provider.lettuce;

import io.leasehold.redis.Outbox;
import io.leasehold.redis.RedisChannel;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.ReplyHandler;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** One connection, on which the commands of all its users are pipelined. */
final class LettuceChannel extends LettuceConnection<StatefulRedisConnection<byte[], byte[]>>
    implements RedisChannel {
  private final Outbox outbox;
  private final int queueSize;
  private final AtomicInteger waiting = new AtomicInteger();

  LettuceChannel(
      StatefulRedisConnection<byte[], byte[]> connection,
      Set<LettuceConnection<?>> open,
      Outbox outbox,
      int queueSize,
      Runnable broken) {
    super(connection, open, broken);
    this.outbox = outbox;
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
    outbox.put(together(sent));
    return answer(all.thenApply(done -> sent.stream().map(Sent::join).toList()));
  }

  @Override
  public void send(RedisCommand command, Duration within, ReplyHandler handler) {
    if (waiting.incrementAndGet() > queueSize) {
      waiting.decrementAndGet();
      handler.failed(RedisConnectionFailure.overloaded());
      return;
    }
    outbox.put(new Handled(command, handler));
  }

  /** Lettuce writes one after the other; nothing else must come between. */
  private Outbox.Errand together(List<Sent> commands) {
    return new Outbox.Errand() {
      @Override
      public void send() {
        connection.dispatch(commands);
      }

      /** The client is being closed. */
      @Override
      public void failed(RuntimeException why) {
        commands.forEach(command -> command.completeExceptionally(why));
      }
    };
  }

  private static final class Sent extends AsyncCommand<byte[], byte[], @Nullable Object> {
    Sent(RedisCommand command) {
      super(new Worded(command));
    }
  }

  /** A command that was sent alone, and tells once what became of it. */
  private final class Handled extends Worded implements Outbox.Errand {
    private final ReplyHandler handler;
    private final AtomicBoolean told = new AtomicBoolean();

    Handled(RedisCommand command, ReplyHandler handler) {
      super(command);
      this.handler = handler;
    }

    @Override
    public void send() {
      connection.dispatch(this);
    }

    /** The client is being closed. */
    @Override
    public void failed(RuntimeException why) {
      completeExceptionally(why);
    }

    @Override
    public void complete() {
      super.complete();
      if (isFirst()) {
        if (waiting.get() > 0) { // whoever asks alone gains nothing by it
          outbox.expect();
        }
        handler.replied(get());
      }
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
      boolean done = super.completeExceptionally(error);
      fail(error);
      return done;
    }

    @Override
    public void cancel() {
      super.cancel();
      fail(new CancellationException("cancelled by the driver"));
    }

    private void fail(Throwable error) {
      if (isFirst()) {
        handler.failed(failure(error));
      }
    }

    private boolean isFirst() {
      if (!told.compareAndSet(false, true)) {
        return false;
      }
      waiting.decrementAndGet();
      return true;
    }
  }

  /** A command that writes its words as they are, with nothing wrapped around each of them. */
  private static class Worded extends Command<byte[], byte[], @Nullable Object> {
    private static final byte[] LINE_END = {'\r', '\n'};
    private final List<byte[]> words;

    Worded(RedisCommand command) {
      super(Name.of(command.name()), new ReplyOutput());
      this.words = command.args();
    }

    @Override
    public void encode(ByteBuf to) {
      writeNumber(to, '*', 1 + words.size());
      writeWord(to, getType().getBytes());
      for (int i = 0; i < words.size(); i++) {
        writeWord(to, words.get(i));
      }
    }

    private static void writeWord(ByteBuf to, byte[] word) {
      writeNumber(to, '$', word.length);
      to.writeBytes(word).writeBytes(LINE_END);
    }

    private static void writeNumber(ByteBuf to, char kind, int number) {
      to.writeByte(kind);
      writeDigits(to, number);
      to.writeBytes(LINE_END);
    }

    private static void writeDigits(ByteBuf to, int number) {
      if (number >= 10) {
        writeDigits(to, number / 10);
      }
      to.writeByte('0' + number % 10);
    }
  }

  private static final class Name implements ProtocolKeyword {
    private static final Name EVALSHA = new Name("EVALSHA");

    private final String text;
    private final byte[] bytes;

    private Name(String text) {
      this.text = text;
      this.bytes = text.getBytes(StandardCharsets.US_ASCII);
    }

    static Name of(String text) {
      return text.equals(EVALSHA.text) ? EVALSHA : new Name(text);
    }

    @Override
    public byte[] getBytes() {
      return bytes;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
