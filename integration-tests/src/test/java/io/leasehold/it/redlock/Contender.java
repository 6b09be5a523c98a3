package io.leasehold.it.redlock;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.Locks;
import io.leasehold.spi.NodeAnswer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The main class of a process that wants a lock again and again. It says when it is ready, waits to
 * be told for how many seconds to go on, and writes down what it held: {@code hold from to token
 * valid} in nanoseconds of the machine's monotonic clock, and at the end {@code attempts refused
 * second-rounds}.
 */
final class Contender {
  static final String LOCK = "contended";

  private final AtomicLong attempts = new AtomicLong();
  private final AtomicLong secondRounds = new AtomicLong();
  private final Random random = new Random();
  private long refused;

  private Contender() {}

  /** Takes the URL, and the file for what it held. */
  public static void main(String[] args) throws Exception {
    new Contender().run(args[0], Path.of(args[1]));
    System.exit(0);
  }

  private void run(String url, Path file) throws Exception {
    BufferedReader parent = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    try (PrintWriter diary = new PrintWriter(Files.newBufferedWriter(file))) {
      try (LockClient client = Locks.builder().url(url).listener(counting()).open()) {
        client.lock("warm-up-" + ProcessHandle.current().pid()).acquire().close();
        System.out.println("ready");
        long seconds = Long.parseLong(parent.readLine());
        contend(
            client.lock(LOCK), System.nanoTime() + Duration.ofSeconds(seconds).toNanos(), diary);
      }
      // Closing the client has waited for its listeners.
      diary.printf("end %d %d %d%n", attempts.get(), refused, secondRounds.get());
    }
    System.out.println("done");
  }

  private void contend(DistributedLock lock, long end, PrintWriter diary)
      throws InterruptedException {
    while (System.nanoTime() < end) {
      try (Lease lease = lock.acquire(Duration.ofSeconds(10))) {
        long from = System.nanoTime();
        LockSupport.parkNanos(random.nextInt(3_000_000));
        long to = System.nanoTime();
        boolean valid = lease.isHeld(); // asked after, so it was at that moment
        diary.printf("hold %d %d %d %b%n", from, to, lease.fencingToken(), valid);
      } catch (LockException e) {
        refused++;
        diary.printf("refused %s%n", e.getClass().getSimpleName());
      }
    }
  }

  /** Counts requests for the contended lock, granted or not. */
  private LockListener counting() {
    return call ->
        !call.lockName().equals(LOCK)
            ? LockObserver.NONE
            : new LockObserver() {
              @Override
              public void attempted(
                  Moment moment, AttemptOutcome outcome, List<NodeAnswer> answers) {
                attempts.incrementAndGet();
              }

              @Override
              public void acquired(
                  Moment moment, long token, int rounds, List<NodeAnswer> answers) {
                attempts.incrementAndGet();
                secondRounds.addAndGet(rounds > 1 ? 1 : 0);
              }
            };
  }
}
