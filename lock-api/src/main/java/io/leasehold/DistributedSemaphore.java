package io.leasehold;

/**
 * A number of permits that are leased one by one. A permit whose holder dies comes back when its
 * lease ends. Thread-safe, cheap to make, holds nothing itself.
 *
 * <p>The number of permits is what the caller says, and is stored nowhere: a permit is given while
 * fewer than that are held, by whomever. So it can be changed by asking with another number, also
 * while permits are held: with a smaller one, nobody gets a permit until so many have come back
 * that there is one by that number, and none is ever taken away; with a larger one, more are given
 * at once. While some clients ask with the old number and some with the new one, the larger number
 * bounds what is held, and those with the smaller one may have to wait for longer.
 *
 * <p>Not offered over Redlock: majorities of servers that each count to the same number do not
 * count together.
 */
public interface DistributedSemaphore extends Leasable {

  /** How many permits there are, as far as this caller is concerned. */
  int permits();
}
