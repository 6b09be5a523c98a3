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
final class ReplyOutput extends CommandOutput<byte[], byte[], Object> {
  private static final int USUAL_SIZE = 8;

  /** The lists that are being read, the innermost first. */
  private final Deque<List<@Nullable Object>> lists = new ArrayDeque<>(2);

  @SuppressWarnings("NullAway") // no reply yet
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
    List<@Nullable Object> list = new ArrayList<>(Math.max(0, Math.min(count, USUAL_SIZE)));
    add(count < 0 ? null : list);
    lists.push(list);
  }

  /** Called after each element, a list among them, with the number of lists around it. */
  @Override
  public void complete(int depth) {
    if (lists.size() > depth) {
      lists.pop();
    }
  }

  @SuppressWarnings("NullAway") // a reply may be null
  private void add(@Nullable Object value) {
    if (lists.isEmpty()) {
      output = value;
    } else {
      lists.element().add(value);
    }
  }
}
