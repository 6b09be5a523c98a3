package io.leasehold.tck.history;

import io.leasehold.tck.history.Claims.Claim;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Who may not hold at the same time. */
final class ClaimRules {
  private ClaimRules() {}

  static void check(LockHistory lock, HistoryBounds bounds, Findings findings) {
    List<Claim> claims = Claims.of(lock.calls, lock.forces, ClientLog.nanos(bounds.longestLease()));
    if (lock.family == LockHistory.Family.SEMAPHORE) {
      permits(lock, claims, findings);
    } else {
      exclusion(lock, claims, findings);
    }
  }

  /** In the order of their beginnings, each has to do only with the one that lasts longest. */
  private static void exclusion(LockHistory lock, List<Claim> claims, Findings findings) {
    Claim alone = null;
    Claim reader = null;
    for (Claim claim : claims) {
      boolean reads = claim.lease().kind == LockKind.READ;
      if (overlaps(alone, claim)) {
        found(lock, reads ? Rule.READER_BESIDE_WRITER : Rule.OVERLAP, alone, claim, findings);
      }
      if (!reads && overlaps(reader, claim)) {
        found(lock, Rule.READER_BESIDE_WRITER, reader, claim, findings);
      }
      if (reads) {
        reader = later(reader, claim);
      } else {
        alone = later(alone, claim);
      }
    }
  }

  private static boolean overlaps(@Nullable Claim first, Claim second) {
    return first != null && first.to() > second.from() && first.lease() != second.lease();
  }

  private static Claim later(@Nullable Claim one, Claim other) {
    return one == null || other.to() > one.to() ? other : one;
  }

  private static void found(
      LockHistory lock, Rule rule, @Nullable Claim first, Claim second, Findings findings) {
    if (first != null) {
      long until = Math.min(first.to(), second.to());
      findings.add(
          rule,
          lock.name,
          second.from(),
          told(first.lease())
              + " and "
              + told(second.lease())
              + " both held it for "
              + Findings.millis(until - second.from()));
    }
  }

  private static String told(Acquisition lease) {
    String token = lease.hasToken() ? " (token " + lease.token + ")" : "";
    return lease + (lease.kind == LockKind.MUTEX ? "" : ", " + lease.kind.word()) + token;
  }

  /**
   * All who hold at one moment held when the last of them was given its permit, and that one was
   * given it because fewer than its own number were held: so all of them are no more than the
   * largest number.
   */
  private static void permits(LockHistory lock, List<Claim> claims, Findings findings) {
    PriorityQueue<Claim> held = new PriorityQueue<>(Comparator.comparingLong(Claim::to));
    PriorityQueue<Claim> most =
        new PriorityQueue<>(Comparator.comparingInt(claim -> -claim.lease().permits));
    for (Claim claim : claims) {
      while (!held.isEmpty() && held.element().to() <= claim.from()) {
        held.remove();
      }
      while (!most.isEmpty() && most.element().to() <= claim.from()) {
        most.remove();
      }
      held.add(claim);
      most.add(claim);
      int limit = most.element().lease().permits;
      if (held.size() > limit) {
        findings.add(
            Rule.TOO_MANY_PERMITS,
            lock.name,
            claim.from(),
            held.size() + " held permits of " + limit + ", the last " + told(claim.lease()));
      }
    }
  }
}
