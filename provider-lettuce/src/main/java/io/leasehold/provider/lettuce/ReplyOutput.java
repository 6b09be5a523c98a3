package io.leasehold.provider.lettuce;

import io.leasehold.redis.RedisErrorReply;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.NestedMultiOutput;
import java.nio.ByteBuffer;

/** Any reply. An error is a value here, so that Lettuce completes the command with it. */
final class ReplyOutput extends NestedMultiOutput<byte[], byte[]> {
  private boolean list;

  ReplyOutput() {
    super(ByteArrayCodec.INSTANCE);
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
    list = true;
    super.multi(count);
  }

  /** What came: a number, bytes, an error, null, or a list of these. */
  Object reply() {
    return list ? output : output.get(0);
  }
}
