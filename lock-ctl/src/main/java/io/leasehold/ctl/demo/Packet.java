package io.leasehold.ctl.demo;

import io.leasehold.testkit.RespConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A packet of money in a store that keeps no order by itself: the balance is read, and written
 * later. With a token, the store refuses whoever is not the last who claimed.
 */
final class Packet implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final String CLAIM = script("claim.lua");
  private static final String WRITE = script("write.lua");

  private final RespConnection store;
  private final String key;

  private Packet(RespConnection store, String key) {
    this.store = store;
    this.key = key;
  }

  static Packet at(int port, String key) {
    return new Packet(RespConnection.open("127.0.0.1", port, PATIENCE), key);
  }

  void fill(long cents) {
    store.call("HSET", key, "balance", Long.toString(cents));
  }

  long balance() {
    return Long.parseLong(Objects.requireNonNull(store.call("HGET", key, "balance")).toString());
  }

  void write(long cents) {
    store.call("HSET", key, "balance", Long.toString(cents));
  }

  /** To be called before reading. False: a later holder was here. */
  boolean claim(long token) {
    return isOne(store.call("EVAL", CLAIM, "1", key, Long.toString(token)));
  }

  /** False: somebody has claimed since. */
  boolean write(long cents, long token) {
    return isOne(store.call("EVAL", WRITE, "1", key, Long.toString(token), Long.toString(cents)));
  }

  private static boolean isOne(@Nullable Object reply) {
    return Long.valueOf(1).equals(reply);
  }

  private static String script(String name) {
    try (InputStream in = Packet.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
