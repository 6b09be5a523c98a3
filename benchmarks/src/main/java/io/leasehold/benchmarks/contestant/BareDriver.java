package io.leasehold.benchmarks.contestant;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * A driver as an application uses it without any library for locks: the two commands of the
 * published algorithm, one at a time, through its usual blocking API.
 */
interface BareDriver extends AutoCloseable {
  /** The same lease time as everybody's. */
  long TTL_MILLIS = 30_000;

  /** {@code SET key value NX PX}: whether the key was free. */
  boolean setIfAbsent(String key, String value) throws Exception;

  /** {@code EVALSHA} of the compare-and-delete: whether the key had that value. */
  boolean compareAndDelete(String key, String value) throws Exception;

  @Override
  void close();

  static String script() {
    try (InputStream in = BareDriver.class.getResourceAsStream("compare-and-delete.lua")) {
      if (in == null) {
        throw new IllegalStateException("compare-and-delete.lua is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
