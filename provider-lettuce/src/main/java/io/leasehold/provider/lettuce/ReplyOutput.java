package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Any reply: a number, bytes, an error, null, or a list of these. An error is a value here, so that
 * Lettuce completes the command instead of failing it.
 */
final class ReplyOutput extends CommandOutput<byte[], byte[], @Nullable Object> {
  private static final int USUAL_SIZE = 8;

  private @Nullable List<@Nullable Object> list; // to which the next element belongs
  private @Nullable Deque<List<@Nullable Object>> around; // that list; few are in another one
  private int depth;

  @SuppressWarnings("NullAway") // a command that has no reply yet
  ReplyOutput() {
    super(ByteArrayCodec.INSTANCE, null);
  }

  @Override
  public void set(@Nullable ByteBuffer bytes) {
    add(bytes == null ? null : ByteArrayCodec.INSTANCE.decodeValue(bytes));
  }

  @Override
  public void set(long integer) {
    add(integer);
  }

  /** Of RESP3, which a client that was handed in may speak. */
  @Override
  public void set(double number) {
    add(Double.toString(number).getBytes(StandardCharsets.US_ASCII));
  }

  /** Of RESP3, too. */
  @Override
  public void set(boolean value) {
    add(value ? 1L : 0L);
  }

  @Override
  public void setError(ByteBuffer error) {
    add(new RedisErrorReply(decodeString(error)));
  }

  @Override
  public void multi(int count) {
    if (count < 0) { // a list that is null
      add(null);
      return;
    }
    List<@Nullable Object> inner = new ArrayList<>(Math.min(count, USUAL_SIZE));
    add(inner);
    if (list != null) {
      if (around == null) {
        around = new ArrayDeque<>();
      }
      around.push(list);
    }
    list = inner;
    depth++;
  }

  /** Called after each element, a list among them, with the number of lists around it. */
  @Override
  public void complete(int lists) {
    if (depth > lists) {
      depth--;
      list = around == null ? null : around.poll();
    }
  }

  private void add(@Nullable Object value) {
    if (list == null) {
      output = value;
    } else {
      list.add(value);
    }
  }
}
