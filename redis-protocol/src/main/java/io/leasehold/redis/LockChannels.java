package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * The wake-ups of Redisson's layout: a channel for each lock, on the server that serves it. Its
 * messages do not say which lock they are about, so each watched name has a connection of its own,
 * from its first watcher to its last.
 */
final class LockChannels {
  private static final String CHANNEL = "redisson_lock__channel:";

  private final Servers servers;

  /** Guards what follows, and the watchers of each; nobody is called while it is held. */
  private final Object lock = new Object();

  private final Map<String, Watched> watched = new HashMap<>();

  LockChannels(Servers servers) {
    this.servers = servers;
  }

  /** What Redisson calls the channel of a lock: a name with a brace counts as tagged already. */
  static String channel(String name) {
    return name.contains("{") ? CHANNEL + name : CHANNEL + "{" + name + "}";
  }

  /** Whether this client listens to the channel of a lock, or is about to. */
  boolean isWatched(String name) {
    synchronized (lock) {
      return watched.containsKey(name);
    }
  }

  /** Subscribes to nothing any more. */
  void close() {
    List<Watched> all;
    synchronized (lock) {
      all = List.copyOf(watched.values());
    }
    all.forEach(entry -> entry.resubscription.end());
  }

  CompletionStage<WatchReply> watch(String name, LockKeys keys, Runnable wake) {
    Registration registration = register(keys, name, wake);
    return registration
        .watched
        .subscribe()
        .<WatchReply>thenApply(confirmed -> new Watching(registration))
        .exceptionally(
            error -> {
              registration.close();
              return Failures.of(error);
            });
  }

  private Registration register(LockKeys keys, String name, Runnable wake) {
    synchronized (lock) {
      Watched entry = watched.computeIfAbsent(name, unseen -> new Watched(keys, name));
      Registration registration = new Registration(entry, wake);
      entry.watchers.add(registration);
      return registration;
    }
  }

  /** One name that is watched. */
  private final class Watched implements DriverPort.Subscriber {
    private final LockKeys keys;
    private final String name;
    private final List<Registration> watchers = new ArrayList<>();
    private final Resubscription resubscription =
        new Resubscription(
            servers.scheduler(),
            servers.background(),
            this::subscribeAgain,
            () -> message(new byte[0]));

    private Watched(LockKeys keys, String name) {
      this.keys = keys;
      this.name = name;
    }

    private CompletionStage<Boolean> subscribe() {
      return servers
          .port()
          .subscribe(keys.get(Key.LOCK), channel(name).getBytes(StandardCharsets.UTF_8), this)
          .<Boolean>thenApply(confirmed -> true)
          .whenComplete(
              (confirmed, error) -> {
                if (watchers().isEmpty()) { // the last one left meanwhile
                  servers.port().unsubscribe(this);
                }
              });
    }

    /** The slot may have moved: the old server must not be listened to any more. */
    private CompletionStage<Boolean> subscribeAgain() {
      if (servers.clustered()) {
        servers.port().unsubscribe(this);
      }
      return subscribe();
    }

    @Override
    public void message(byte[] payload) {
      watchers().forEach(registration -> registration.wake.run());
    }

    /** On a cluster, Redisson's clients speak to the shard alone. */
    @Override
    public boolean sharded() {
      return servers.clustered();
    }

    @Override
    public void interrupted() {
      resubscription.interrupted();
    }

    private List<Registration> watchers() {
      synchronized (lock) {
        return List.copyOf(watchers);
      }
    }
  }

  /** One watch. */
  private final class Registration implements Watch {
    private final Watched watched;
    private final Runnable wake;

    private Registration(Watched watched, Runnable wake) {
      this.watched = watched;
      this.wake = wake;
    }

    /** Everybody was told: there is nothing to pass on. */
    @Override
    public void close() {
      boolean last;
      synchronized (lock) {
        last = watched.watchers.remove(this) && watched.watchers.isEmpty();
        if (last) {
          LockChannels.this.watched.remove(watched.name);
        }
      }
      if (last) {
        watched.resubscription.end();
        servers.port().unsubscribe(watched);
      }
    }
  }
}
