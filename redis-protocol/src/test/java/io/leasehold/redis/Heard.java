package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what came over a connection that listens. */
final class Heard implements RedisListening.Events {
  final List<byte[]> messages = new CopyOnWriteArrayList<>();
  final AtomicInteger broken = new AtomicInteger();

  /** The same, as somebody who wants to hear the shard, too. */
  RedisListening.Events onShard() {
    return new RedisListening.Events() {
      @Override
      public boolean hearShard() {
        return true;
      }

      @Override
      public void message(byte[] payload) {
        Heard.this.message(payload);
      }

      @Override
      public void broken() {
        Heard.this.broken();
      }
    };
  }

  @Override
  public void message(byte[] payload) {
    messages.add(payload);
  }

  @Override
  public void broken() {
    broken.incrementAndGet();
  }
}
