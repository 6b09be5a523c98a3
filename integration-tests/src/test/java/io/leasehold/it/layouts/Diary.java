package io.leasehold.it.layouts;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * What one who contends for a lock held, and when, in nanoseconds of the machine's monotonic clock,
 * which all its processes share.
 */
final class Diary {
  static final String LOCK = "contended";

  /** One holding; valid if the holder still had the lock by its own account at the end. */
  record Hold(String kind, int who, long from, long to, boolean valid) {}

  private final List<Hold> holds = new ArrayList<>();

  List<Hold> holds() {
    return holds;
  }

  /** Wants the lock again and again until a moment. */
  void contend(String kind, int who, Side side, long end) throws InterruptedException {
    Random random = new Random();
    while (System.nanoTime() < end) {
      side.locked(
          LOCK,
          holding -> {
            long from = System.nanoTime();
            LockSupport.parkNanos(random.nextInt(3_000_000));
            long to = System.nanoTime();
            boolean valid = holding.isHeld(); // asked after, so it was at that moment
            holds.add(new Hold(kind, who, from, to, valid));
            return valid;
          });
      // Others' wake-ups take a moment; who asks again at once only races them.
      LockSupport.parkNanos(random.nextInt(2_000_000));
    }
  }

  /** The main class of a process that contends: its kind, its number, the server's port. */
  static final class Contender {
    private Contender() {}

    /** Says when it is ready, hears for how many seconds to go on, and tells its holds. */
    public static void main(String[] args) throws Exception {
      Diary diary = new Diary();
      try (Side side = Side.open(args[0], Integer.parseInt(args[2]))) {
        side.locked("warm-up-" + args[1], holding -> true);
        System.out.println("ready");
        String seconds = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
        long end = System.nanoTime() + Duration.ofSeconds(Long.parseLong(seconds)).toNanos();
        diary.contend(args[0], Integer.parseInt(args[1]), side, end);
      }
      try (PrintWriter out = new PrintWriter(args[3], UTF_8)) {
        diary.holds.forEach(hold -> out.printf("%d %d %b%n", hold.from, hold.to, hold.valid));
      }
      System.out.println("done");
      System.exit(0);
    }
  }
}
