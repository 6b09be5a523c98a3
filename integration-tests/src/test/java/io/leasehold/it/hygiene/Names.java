package io.leasehold.it.hygiene;

import io.leasehold.Leasable;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockOptions;
import io.leasehold.Locks;
import io.leasehold.testkit.hygiene.JvmState;
import io.leasehold.testkit.hygiene.Leaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The main class of a JVM with one client that uses each name once: most for a plain lock, some for
 * one of the other kinds, some while another call waits for the same name.
 */
final class Names {
  private static final Duration QUIET = Duration.ofMillis(1_200);
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final int AT_ONCE = 100;
  private static final int WARM_UP = 3_000;

  private final Parent parent;
  private final LockClient client;
  private final LockClient other;
  private int used;

  private Names(Parent parent, LockClient client, LockClient other) {
    this.parent = parent;
    this.client = client;
    this.other = other;
  }

  /** Takes the URL, how many names, and for how long a server remembers one, in seconds. */
  public static void main(String[] args) throws Exception {
    Parent parent = new Parent(args);
    try (LockClient client = Locks.open(parent.one("url"));
        LockClient other = Locks.open(parent.one("url"))) {
      new Names(parent, client, other).run(parent.number("names"), parent.number("remembered"));
    }
    System.exit(0);
  }

  private void run(int names, int remembered) throws Exception {
    use(WARM_UP);
    JvmState base = JvmState.baseLine(QUIET, BOUND);
    parent.say("at base " + base);
    long start = System.nanoTime();
    use(names);
    long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
    forget(remembered);
    JvmState end = base.afterReturn(BOUND);
    parent.say("at end " + end);
    Bounds.perName(names).between(base, end).forEach(leak -> parent.say("leak " + leak));
    parent.say("most " + Leaks.most(base, end));
    parent.say(
        String.format(
            Locale.ROOT,
            "done %d names, %.3f bytes each, %d s",
            names,
            (end.heapBytes() - base.heapBytes()) / (double) names,
            seconds));
  }

  private void use(int count) throws Exception {
    for (int from = 0; from < count; from += AT_ONCE) {
      List<CompletableFuture<?>> under = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        under.add(useOnce(used++));
      }
      for (CompletableFuture<?> one : under) {
        one.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      }
      if (used % 1_000 == 0) {
        parent.say("round " + used);
      }
    }
  }

  private CompletableFuture<?> useOnce(int number) {
    Leasable lock = lock(client, number);
    CompletableFuture<Lease> asked = lock.acquireAsync(WAIT);
    if (number % 10 != 3) {
      return asked.thenAccept(Lease::close);
    }
    // Others wait for it meanwhile, in the same client and in another one.
    CompletableFuture<Lease> here = lock.acquireAsync(WAIT);
    CompletableFuture<Lease> there = lock(other, number).acquireAsync(WAIT);
    return CompletableFuture.allOf(
        asked.thenAccept(Lease::close),
        here.thenAccept(Lease::close),
        there.thenAccept(Lease::close));
  }

  private static Leasable lock(LockClient of, int number) {
    String name = "name-" + number;
    return switch (number % 20) {
      case 5 -> of.readWriteLock(name).readLock();
      case 6 -> of.readWriteLock(name).writeLock();
      case 7 -> of.semaphore(name, 1);
      case 8, 13 -> of.lock(name, LockOptions.defaults().withFair());
      default -> of.lock(name);
    };
  }

  /** Memory remembers tokens for some time, and clears its tables when they are used. */
  private void forget(int seconds) throws Exception {
    if (seconds > 0) {
      TimeUnit.SECONDS.sleep(seconds);
      for (int i = 0; i < 1_100; i++) {
        client.lock("again").acquire().close();
        client.readWriteLock("again").readLock().acquire().close();
        client.semaphore("again", 1).acquire().close();
      }
    }
  }
}
