package io.leasehold.it.hygiene;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.testkit.hygiene.JvmState;
import io.leasehold.testkit.hygiene.Leaks;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;

/**
 * The main class of a JVM that opens clients, uses them and closes them, many times. What it has
 * after some rounds is the base line. It looks again after half of the rounds, and after all.
 */
final class Rounds {
  private static final Duration QUIET = Duration.ofMillis(1_200);
  private static final int TELLS_EVERY = 50;

  private final Parent parent;
  private final Round round;
  private final List<LeftBehind> left;
  private final Duration patience;
  private int done;
  private int refused;

  private Rounds(Parent parent) {
    this.parent = parent;
    this.round = new Round(parent.one("url"), parent.all("bad"));
    this.left = parent.all("leaving").stream().map(LeftBehind::valueOf).toList();
    // For threads to end and sockets to close; in vain where they are left behind on purpose.
    this.patience = Duration.ofSeconds(left.isEmpty() ? 20 : 1);
  }

  /** Takes the URL, URLs that fail, how many rounds, and what to leave behind on purpose. */
  public static void main(String[] args) throws Exception {
    Parent parent = new Parent(args);
    new Rounds(parent).run(parent.number("warmUp"), parent.number("rounds"));
    System.exit(0);
  }

  private void run(int warmUp, int rounds) throws Exception {
    try (LockClient holder = Locks.open(parent.one("url"));
        Lease taken = holder.lock(Round.TAKEN).acquire()) {
      go(warmUp);
      JvmState base = JvmState.baseLine(QUIET, patience);
      parent.sayAndWait("at base " + base);
      long start = System.nanoTime();
      go(rounds / 2);
      JvmState half = base.afterReturn(patience);
      parent.sayAndWait("at half " + half);
      go(rounds - rounds / 2);
      JvmState end = base.afterReturn(patience);
      parent.sayAndWait("at end " + end);
      taken.ensureHeld(); // or nobody waited
      if (refused > rounds / 100) {
        throw new IllegalStateException(refused + " rounds were refused");
      }
      Bounds.threadsAndDescriptors()
          .between(base, end)
          .forEach(leak -> parent.say("leak since the base line: " + leak));
      Bounds.perRound(rounds - rounds / 2)
          .between(half, end)
          .forEach(leak -> parent.say("leak since half: " + leak));
      parent.say("most " + Leaks.most(half, end));
      parent.say(
          String.format(
              Locale.ROOT,
              "done %d rounds, %.1f bytes each, %d s",
              rounds,
              (end.heapBytes() - half.heapBytes()) / (double) (rounds - rounds / 2),
              Duration.ofNanos(System.nanoTime() - start).toSeconds()));
    }
  }

  private void go(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      playOne();
      for (LeftBehind thing : left) {
        thing.leave(parent.one("url"));
      }
      if (done % TELLS_EVERY == 0) {
        parent.say("round " + done);
      }
    }
  }

  /** On a busy machine a server may be too slow for a client, now and then. */
  private void playOne() throws Exception {
    try {
      round.play(done++);
    } catch (LockUnavailableException e) {
      refused++;
      parent.say("refused " + e.getMessage());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof LockUnavailableException)) {
        throw e;
      }
      refused++;
      parent.say("refused " + e.getMessage());
    }
  }
}
