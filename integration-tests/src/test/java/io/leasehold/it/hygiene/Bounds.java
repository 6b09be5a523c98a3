package io.leasehold.it.hygiene;

import io.leasehold.testkit.hygiene.Leaks;
import java.util.regex.Pattern;

/** From which size on growth is a leak. */
final class Bounds {
  private static final Pattern WATCHED =
      Pattern.compile(
          "\\[*L?(io\\.leasehold|redis\\.clients|io\\.lettuce|io\\.netty|io\\.vertx)\\..*");

  /** What Netty and Lettuce keep for its next use, in bounded stores of each thread. */
  private static final Pattern RECYCLED =
      Pattern.compile(
          "io\\.netty\\.(util\\.Recycler|buffer\\.|util\\.internal\\.|channel\\.ChannelOutboundBuffer).*"
              + "|.*\\$(AddToStack|AtMostOnceWriteListener|RetryListener|WriteTask)");

  private static final long ANY = Long.MAX_VALUE;

  private Bounds() {}

  private static boolean isWatched(String name) {
    return WATCHED.matcher(name).matches() && !RECYCLED.matcher(name).matches();
  }

  /** Whatever the heap has learnt since: not one thread and not one descriptor more. */
  static Leaks threadsAndDescriptors() {
    return new Leaks(name -> false, 0, ANY, ANY, ANY, ANY);
  }

  /**
   * For clients that stay open, between two moments at which they rest. Netty's allocator keeps
   * some chunks of a megabyte more or fewer; what is left behind by a fault shows in the objects.
   *
   * @param pool how many connections they may have made more, or fewer, than they had
   */
  static Leaks perFault(int faults, int pool) {
    return new Leaks(Bounds::isWatched, pool, Math.max(8, faults / 2), 4 << 20, 4 << 20, 300);
  }

  /**
   * For names that were used once: a byte for each would be too much. A client remembers some
   * hundred names for their next use; each kind of lock has a twentieth of all names at least.
   */
  static Leaks perName(int names) {
    return new Leaks(Bounds::isWatched, 0, 500, Math.max(512 << 10, names), 4 << 20, 100);
  }

  /** For something that was done so many times; what is left behind each time shows. */
  static Leaks perRound(int rounds) {
    return new Leaks(
        Bounds::isWatched,
        0,
        Math.max(12, rounds / 100),
        Math.max(256 << 10, rounds * 32L),
        Math.max(256 << 10, rounds * 32L),
        Math.max(64, rounds / 100));
  }
}
