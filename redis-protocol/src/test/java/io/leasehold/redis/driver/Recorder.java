package io.leasehold.redis.driver;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Remembers what a subscriber was told. */
class Recorder implements DriverPort.Subscriber {
  final List<String> messages = new CopyOnWriteArrayList<>();
  final AtomicInteger restored = new AtomicInteger();

  /** One that is also subscribed to the channel of the shard. */
  static Recorder onShard() {
    return new Recorder() {
      @Override
      public boolean sharded() {
        return true;
      }
    };
  }

  @Override
  public void message(byte[] payload) {
    messages.add(new String(payload, StandardCharsets.UTF_8));
  }

  @Override
  public void restored() {
    restored.incrementAndGet();
  }
}
