package io.leasehold.spi;

/**
 * Tells what a node is, for those who measure it. Offered by a node that knows; see {@link
 * LockNode#offer}.
 */
public interface Described {

  /** What the node is; constant. */
  Description description();

  /**
   * What a node is, in words that are few: the same for every server of its kind.
   *
   * @param provider the provider's name, as a URL has it: {@code lettuce}, {@code redlock}
   * @param topology how its servers work together: {@code standalone}, {@code sentinel}, {@code
   *     cluster}, {@code quorum}, {@code memory}
   */
  record Description(String provider, String topology) {}
}
