package io.leasehold.it.hygiene;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** One client from its opening to its close; ten rounds in a row have everything. */
final class Round {
  /** A lock that another client has all the time. */
  static final String TAKEN = "taken";

  private static final Duration LONG = Duration.ofSeconds(20);
  private static final LockOptions SHORT =
      LockOptions.defaults().withLeaseTime(Duration.ofMillis(150));

  private final String url;
  private final List<String> bad;

  Round(String url, List<String> bad) {
    this.url = url;
    this.bad = bad;
  }

  void play(int number) throws Exception {
    switch (number % 10) {
      case 1 -> cancelsAWaiter();
      case 2 -> closesWithLeasesAndWaiters();
      case 3 -> isWoken();
      case 4 -> waitsInVain();
      case 5 -> usesEveryKind();
      case 6 -> actsLater();
      case 7 -> holdsFor(number % 50 == 7 ? 120 : 1);
      case 8 -> cannotOpen(number / 10);
      default -> usesALock();
    }
  }

  private void usesALock() throws Exception {
    try (LockClient client = Locks.open(url)) {
      client.lock("a").acquire(LONG).close();
    }
  }

  private void cancelsAWaiter() throws Exception {
    try (LockClient client = Locks.open(url)) {
      CompletableFuture<Lease> waiting = client.lock(TAKEN).acquireAsync(LONG);
      client.lock("a").acquire(LONG).close();
      waiting.cancel(false);
    }
  }

  private void closesWithLeasesAndWaiters() throws Exception {
    CompletableFuture<Lease> outside;
    CompletableFuture<Lease> inside;
    try (LockClient client = Locks.open(url)) {
      Lease held = client.lock("a").acquire(LONG);
      held.onLost(loss -> {});
      outside = client.lock(TAKEN).acquireAsync(LONG);
      inside = client.lock("a").acquireAsync(LONG);
      client.lock("b").acquire(LONG); // left to the close
    }
    mustHaveNothing("outside", outside);
    mustHaveNothing("inside", inside);
  }

  /** It has failed, or was granted in the last moment and taken away by the close. */
  private static void mustHaveNothing(String which, CompletableFuture<Lease> waiting)
      throws Exception {
    try {
      if (waiting.get(LONG.toSeconds(), TimeUnit.SECONDS).isHeld()) {
        throw new IllegalStateException("a closed client holds what was asked for " + which);
      }
    } catch (ExecutionException closed) {
      // As it should be.
    }
  }

  private void isWoken() throws Exception {
    try (LockClient client = Locks.open(url);
        LockClient other = Locks.open(url)) {
      CompletableFuture<Lease> waiting;
      try (Lease lease = client.lock("a").acquire(LONG)) {
        waiting = other.lock("a").acquireAsync(LONG);
        lease.ensureHeld();
      }
      waiting.get(LONG.toSeconds(), TimeUnit.SECONDS).close();
    }
  }

  private void waitsInVain() throws Exception {
    try (LockClient client = Locks.open(url)) {
      if (client.lock(TAKEN).tryAcquire(Duration.ofMillis(5)).isPresent()) {
        throw new IllegalStateException("it was free");
      }
    }
  }

  private void usesEveryKind() throws Exception {
    try (LockClient client = Locks.open(url)) {
      client.readWriteLock("rw").readLock().acquire(LONG).close();
      client.readWriteLock("rw").writeLock().acquire(LONG).close();
      if (!url.startsWith("lock:redlock:")) { // which has neither
        client.semaphore("s", 2).acquire(LONG).close();
        client.lock("fair", LockOptions.defaults().withFair()).acquire(LONG).close();
      }
    }
  }

  private void actsLater() throws Exception {
    try (LockClient client = Locks.open(url)) {
      client
          .lock("a")
          .acquireAsync(LONG)
          .thenAcceptAsync(Lease::close)
          .get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Long enough to be renewed, now and then. */
  private void holdsFor(long millis) throws Exception {
    try (LockClient client = Locks.open(url)) {
      Lease lease = client.lock("short", SHORT).acquire(LONG);
      TimeUnit.MILLISECONDS.sleep(millis); // what it is renewed in
      lease.close();
    }
  }

  private void cannotOpen(int number) {
    try (LockClient client = Locks.open(bad.get(number % bad.size()))) {
      throw new IllegalStateException("opened: " + client);
    } catch (LockException e) {
      // As it should be.
    }
  }
}
