package io.leasehold.it.hygiene;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.testkit.hygiene.JvmState;
import io.leasehold.testkit.hygiene.Leaks;
import java.time.Duration;

/**
 * The main class of a JVM with two clients that stay open and work while the test breaks their
 * world. It does what it is told: {@code work}, {@code worked} (waits until locks are granted
 * again), {@code rest}, {@code base} (this is the base line), {@code check}, {@code end}.
 */
final class Steady {
  private static final Duration QUIET = Duration.ofMillis(1_200);
  private static final Duration BOUND = Duration.ofSeconds(20);

  /** For a machine on which much else goes on: connecting then fails some times in a row. */
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  private final Parent parent;
  private final Work work;
  private JvmState base = JvmState.now();
  private JvmState before = base;

  private Steady(Parent parent, LockClient client, LockClient other) {
    this.parent = parent;
    this.work = new Work(client, other);
  }

  /** Takes the URL, how many faults there are between two checks, and the sockets of a pool. */
  public static void main(String[] args) throws Exception {
    Parent parent = new Parent(args);
    try (LockClient client = Locks.open(parent.one("url"));
        LockClient other = Locks.open(parent.one("url"))) {
      Steady steady = new Steady(parent, client, other);
      String told = parent.hear();
      while (!told.equals("end")) {
        steady.obey(told);
        told = parent.hear();
      }
    }
    System.exit(0);
  }

  private void obey(String told) throws Exception {
    switch (told) {
      case "work" -> work.begin();
      case "worked" -> work.awaitGrants(20, RECOVERY);
      case "rest" -> work.end(BOUND);
      case "base" -> {
        base = JvmState.baseLine(QUIET, BOUND);
        before = base;
        parent.say("at base " + base);
      }
      case "check" -> check();
      default -> throw new IllegalArgumentException(told);
    }
    parent.say("ok");
  }

  private void check() {
    JvmState now = base.afterReturn(BOUND);
    parent.say("at check " + now);
    Leaks leaks = Bounds.perFault(parent.number("faults"), parent.number("pool"));
    leaks.between(base, now).forEach(leak -> parent.say("leak since the base line: " + leak));
    leaks.between(before, now).forEach(leak -> parent.say("leak since the last check: " + leak));
    before = now;
  }
}
