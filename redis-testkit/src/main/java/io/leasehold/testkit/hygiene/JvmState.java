package io.leasehold.testkit.hygiene;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * What this JVM has at one moment.
 *
 * @param threads that live, by name
 * @param descriptors that are open, by what they lead to
 * @param histogram of the objects that are reachable
 * @param directBytes in buffers outside the heap
 * @param loadedClasses those that were made at run time included
 */
public record JvmState(
    Tally threads,
    Tally descriptors,
    ClassHistogram histogram,
    long directBytes,
    long loadedClasses) {

  /** What a scheduler keeps for each task that waits: the JDK's, Netty's, and Vert.x's. */
  private static final Set<String> TASKS =
      Set.of(
          "java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
          "java.util.TimerTask",
          "io.netty.util.HashedWheelTimer$HashedWheelTimeout",
          "io.netty.util.concurrent.ScheduledFutureTask",
          "io.vertx.core.impl.VertxImpl$InternalTimerHandler");

  private static final Duration STEP = Duration.ofMillis(20);

  /** How many TCP connections to a port this JVM has open, and the peer has not closed. */
  public static long connectionsTo(int port) {
    return Descriptors.now().count("socket to port " + port);
  }

  /** Collects garbage, and looks. */
  public static JvmState now() {
    System.gc();
    LockSupport.parkNanos(STEP.toNanos()); // what the collector found unreachable is cleaned now
    ClassHistogram histogram = ClassHistogram.now();
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new JvmState(
        Threads.now(),
        Descriptors.now(),
        histogram,
        direct,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount());
  }

  /**
   * Looks when it is quiet, for others to be compared with. It has looked and compared before: what
   * the JVM loads for that shall not be found later.
   */
  public static JvmState baseLine(Duration quiet, Duration bound) {
    JvmState trial = now();
    String unused = trial + Leaks.most(trial, now());
    return afterQuiet(quiet, bound);
  }

  /** Looks when threads and descriptors have been the same for some time, or after the bound. */
  private static JvmState afterQuiet(Duration quiet, Duration bound) {
    long start = System.nanoTime();
    long since = start;
    Tally threads = Threads.now();
    Tally descriptors = Descriptors.now();
    while (System.nanoTime() - since < quiet.toNanos()
        && System.nanoTime() - start < bound.toNanos()) {
      LockSupport.parkNanos(STEP.toNanos());
      Tally threadsNow = Threads.now();
      Tally descriptorsNow = Descriptors.now();
      if (!threadsNow.equals(threads) || !descriptorsNow.equals(descriptors)) {
        threads = threadsNow;
        descriptors = descriptorsNow;
        since = System.nanoTime();
      }
    }
    return now();
  }

  /**
   * Looks when there are no more threads and descriptors than in this state, or after the bound.
   * What has just gone may have come back when the look is over (it takes a while, and a client
   * that holds a lease has a thread for a second whenever it renews): then it looks again.
   */
  public JvmState afterReturn(Duration bound) {
    long start = System.nanoTime();
    while (true) {
      while (!hasReturned(Threads.now(), Descriptors.now()) && isWithin(bound, start)) {
        LockSupport.parkNanos(STEP.toNanos());
      }
      JvmState seen = now();
      if (hasReturned(seen.threads, seen.descriptors) || !isWithin(bound, start)) {
        return seen;
      }
    }
  }

  private boolean hasReturned(Tally threadsNow, Tally descriptorsNow) {
    return threadsNow.grownSince(threads, 0).isEmpty()
        && descriptorsNow.grownSince(descriptors, 0).isEmpty();
  }

  private static boolean isWithin(Duration bound, long start) {
    return System.nanoTime() - start < bound.toNanos();
  }

  /** The tasks that wait for their time in schedulers, by their class. */
  public Tally tasks() {
    return objects().only(TASKS::contains);
  }

  /** The objects that are reachable, by their class. */
  public Tally objects() {
    return histogram.instances();
  }

  /** What these take. */
  public long heapBytes() {
    return histogram.bytes();
  }

  public long sockets() {
    return descriptors.only(name -> name.startsWith("socket")).total();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "threads=%d sockets=%d descriptors=%d tasks=%d heap=%d direct=%d classes=%d",
        threads.total(),
        sockets(),
        descriptors.total(),
        tasks().total(),
        heapBytes(),
        directBytes,
        loadedClasses);
  }
}
