package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisCommand;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One command on its way. An error reply is a reply; a failure means that none will come. */
abstract class Call extends Command<byte[], byte[], @Nullable Object> {

  Call(RedisCommand command) {
    super(Name.of(command.name()), new ReplyOutput(), args(command));
  }

  /** A call that passes on what becomes of it. */
  static Call of(
      RedisCommand command, Consumer<@Nullable Object> replied, Consumer<Throwable> failed) {
    return new Call(command) {
      @Override
      void replied(@Nullable Object value) {
        replied.accept(value);
      }

      @Override
      void failed(Throwable error) {
        failed.accept(error);
      }
    };
  }

  abstract void replied(@Nullable Object value);

  abstract void failed(Throwable error);

  @Override
  public final void complete() {
    super.complete();
    replied(get());
  }

  @Override
  public final boolean completeExceptionally(Throwable error) {
    boolean done = super.completeExceptionally(error);
    failed(error);
    return done;
  }

  @Override
  public final void cancel() {
    super.cancel();
    failed(new CancellationException("cancelled by the driver"));
  }

  private static CommandArgs<byte[], byte[]> args(RedisCommand command) {
    CommandArgs<byte[], byte[]> args = new CommandArgs<>(ByteArrayCodec.INSTANCE);
    for (byte[] arg : command.args()) {
      args.add(arg);
    }
    return args;
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
