package io.leasehold.tck;

import java.time.Duration;

/** Counts what the servers of a subject store. May be called by any thread. */
public interface StoredEntries {

  /**
   * How many entries the servers store now whose name contains a text: locks, fences, and whatever
   * else a provider keeps for a name, expired or not.
   *
   * @param text part of a lock's name: letters, digits and dashes
   */
  long count(String text);

  /**
   * The longest time that an entry stays on the servers after its lock has ended and, with {@link
   * io.leasehold.spi.Capability#FENCING}, {@code fenceRetention} has passed. The kit adds the
   * {@linkplain Subject#tolerance() tolerance}.
   */
  default Duration removedWithin() {
    return Duration.ofSeconds(5);
  }
}
