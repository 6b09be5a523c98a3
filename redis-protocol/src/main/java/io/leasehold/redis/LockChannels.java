package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The wake-ups of Redisson's layout: a channel for each lock, on the server that serves it. Its
 * messages do not say which lock they are about, so each watched name has a subscriber of its own.
 * A release wakes all who wait: there is nothing to pass on.
 */
final class LockChannels extends Watches<DriverPort.Subscriber> {
  private static final String CHANNEL = "redisson_lock__channel:";

  LockChannels(Servers servers) {
    super(servers);
  }

  /** What Redisson calls the channel of a lock: a name with a brace counts as tagged already. */
  static String channel(String name) {
    return name.contains("{") ? CHANNEL + name : CHANNEL + "{" + name + "}";
  }

  /** Whether this client listens to the channel of a lock, or is about to. */
  boolean isWatched(String name) {
    return noted(name) != null;
  }

  @Override
  DriverPort.Subscriber note(String name) {
    return new DriverPort.Subscriber() {
      @Override
      public void message(byte[] payload) {
        wake(name);
      }

      /** On a cluster, Redisson's clients speak to the shard alone. */
      @Override
      public boolean sharded() {
        return servers.clustered();
      }

      @Override
      public void interrupted() {
        LockChannels.this.interrupted(List.of(name));
      }
    };
  }

  @Override
  CompletionStage<Boolean> subscribe(String name, DriverPort.Subscriber channel, boolean again) {
    DriverPort port = servers.port();
    if (again && servers.clustered()) { // the slot may have moved
      port.unsubscribe(channel);
    }
    return port.subscribe(Requests.bytes(name), Requests.bytes(channel(name)), channel)
        .<Boolean>thenApply(confirmed -> true)
        .whenComplete(
            (confirmed, error) -> {
              if (noted(name) != channel) { // the last watcher left meanwhile
                port.unsubscribe(channel);
              }
            });
  }

  @Override
  void ended(String name, DriverPort.Subscriber channel) {
    servers.port().unsubscribe(channel);
  }
}
