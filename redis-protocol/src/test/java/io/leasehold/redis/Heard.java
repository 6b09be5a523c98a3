package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what came over a connection that listens. */
final class Heard implements RedisListening.Events {
  final List<byte[]> messages = new CopyOnWriteArrayList<>();
  final AtomicInteger broken = new AtomicInteger();

  @Override
  public void message(byte[] payload) {
    messages.add(payload);
  }

  @Override
  public void broken() {
    broken.incrementAndGet();
  }
}
