package io.leasehold.redis;

import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The names that a client watches, each by one or more watchers, and subscribed again after an
 * interruption for as long as there is one. The monitor guards what is noted about a name; nothing
 * else is called while it is held. Thread-safe.
 *
 * @param <N> what is noted about a name, from its first watcher to its last
 */
abstract class Watches<N> {
  final Servers servers;
  private final Map<String, Watched> watched = new HashMap<>(); // guarded by the monitor

  Watches(Servers servers) {
    this.servers = servers;
  }

  /** For a name that had no watcher. Under the monitor. */
  abstract N note(String name);

  /** Subscribes to what wakes the watchers of a name, or does so again. */
  abstract CompletionStage<Boolean> subscribe(String name, N note, boolean again);

  /** The last watcher of a name has left. */
  abstract void ended(String name, N note);

  /** Notes the watcher before it subscribes: an interruption in between must not be missed. */
  final CompletionStage<WatchReply> watch(String name, Runnable wake) {
    Watcher watcher;
    synchronized (this) {
      watcher = new Watcher(watched.computeIfAbsent(name, Watched::new), wake);
      watcher.entry.watchers.add(watcher);
    }
    return subscribe(name, watcher.entry.note, false)
        .<WatchReply>thenApply(confirmed -> new Watching(watcher))
        .exceptionally(
            error -> {
              watcher.close();
              return Failures.of(error);
            });
  }

  /** What is noted about a name, if it is watched. To be used under the monitor. */
  final synchronized @Nullable N noted(String name) {
    Watched entry = watched.get(name);
    return entry == null ? null : entry.note;
  }

  /** Calls the watchers of a name. */
  final void wake(String name) {
    List<Watcher> all;
    synchronized (this) {
      Watched entry = watched.get(name);
      all = entry == null ? List.of() : List.copyOf(entry.watchers);
    }
    all.forEach(watcher -> watcher.wake.run());
  }

  /** The subscriptions of these names may be gone. */
  final void interrupted(List<String> names) {
    for (String name : names) {
      Watched entry;
      synchronized (this) {
        entry = watched.get(name);
      }
      if (entry != null) {
        entry.resubscription.interrupted();
      }
    }
  }

  final synchronized List<String> names() {
    return List.copyOf(watched.keySet());
  }

  /** All watchers leave. */
  final void endAll() {
    List<Watched> all;
    synchronized (this) {
      all = List.copyOf(watched.values());
      watched.clear();
    }
    all.forEach(Watched::end);
  }

  private final class Watched {
    private final String name;
    private final N note;
    private final List<Watcher> watchers = new ArrayList<>();
    private final Resubscription resubscription;

    Watched(String name) {
      this.name = name;
      this.note = note(name);
      this.resubscription =
          new Resubscription(
              servers.scheduler(),
              servers.background(),
              () -> subscribe(name, note, true),
              () -> wake(name));
    }

    void end() {
      resubscription.end();
      ended(name, note);
    }
  }

  private final class Watcher implements Watch {
    private final Watched entry;
    private final Runnable wake;

    Watcher(Watched entry, Runnable wake) {
      this.entry = entry;
      this.wake = wake;
    }

    @Override
    public void close() {
      boolean last;
      synchronized (Watches.this) {
        last =
            entry.watchers.remove(this)
                && entry.watchers.isEmpty()
                && watched.remove(entry.name, entry);
      }
      if (last) {
        entry.end();
      }
    }
  }
}
