package io.leasehold.benchmarks.measure;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Notices when two hold one lock, in whatever processes they are: all of them count themselves in
 * and out in the same mapped file. It costs some nanoseconds, and keeps nobody out.
 */
public final class Turnstile {
  private static final VarHandle INSIDE =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

  private final ByteBuffer shared;

  /** Turnstiles of one file are one. */
  public Turnstile(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      shared = channel.map(FileChannel.MapMode.READ_WRITE, 0, Integer.BYTES);
    }
  }

  /** Counts the caller in: whether nobody else is inside, as it should be. */
  public boolean enter() {
    return (int) INSIDE.getAndAdd(shared, 0, 1) == 0;
  }

  /** Counts the caller out. */
  public void leave() {
    INSIDE.getAndAdd(shared, 0, -1);
  }
}
