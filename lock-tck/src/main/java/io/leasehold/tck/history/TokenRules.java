package io.leasehold.tck.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of a lock are unique and grow in the real-time order of grants. Two ways of knowing that a
 * grant came before another:
 *
 * <ul>
 *   <li>It had returned before the other was called.
 *   <li>For those that exclude each other: it had returned before the other had, and the other was
 *       still held when it had returned. Had the other been granted first, it would have been held,
 *       without a gap, at the moment when this one had returned with a lease that excludes it.
 * </ul>
 *
 * <p>The second does not hold around a release by force, which ends a lease without its knowing.
 * Readers have nothing to do with each other, and holders of permits exclude nobody.
 */
final class TokenRules {
  private static final long LARGEST = 1L << 53;

  private final LockHistory lock;
  private final Findings findings;
  private final Set<Acquisition> told = new HashSet<>(); // Acquisitions are compared by identity

  private TokenRules(LockHistory lock, Findings findings) {
    this.lock = lock;
    this.findings = findings;
  }

  static void check(LockHistory lock, Findings findings) {
    List<Acquisition> grants = new ArrayList<>();
    for (Acquisition call : lock.calls) {
      if (call.hasToken()) {
        grants.add(call);
      }
    }
    TokenRules rules = new TokenRules(lock, findings);
    rules.uniqueAndInRange(grants);
    List<Acquisition> byReturn = new ArrayList<>(grants);
    byReturn.sort(Comparator.comparingLong(grant -> grant.granted));
    rules.ordered(grants, byReturn);
  }

  private void uniqueAndInRange(List<Acquisition> grants) {
    Map<Long, Acquisition> owners = new HashMap<>(2 * grants.size());
    for (Acquisition grant : grants) {
      if (grant.token <= 0 || grant.token >= LARGEST) {
        findings.add(
            Rule.TOKEN_RANGE, lock.name, grant.granted, grant + " got the token " + grant.token);
      }
      Acquisition other = owners.put(grant.token, grant);
      if (other != null && !(isReader(grant) && isReader(other))) {
        findings.add(
            Rule.TOKEN_REUSED,
            lock.name,
            grant.granted,
            other + " and " + grant + " both got the token " + grant.token);
      }
    }
  }

  /**
   * @param byCall the grants in the order of their calls
   * @param byReturn the same in the order of their returns
   */
  private void ordered(List<Acquisition> byCall, List<Acquisition> byReturn) {
    Largest before = new Largest();
    int next = 0;
    for (Acquisition grant : byCall) {
      for (; next < byReturn.size() && byReturn.get(next).granted < grant.called; next++) {
        before.add(byReturn.get(next));
      }
      compare(before, grant, "had returned before the call of ");
    }
    if (lock.family == LockHistory.Family.SEMAPHORE) {
      return;
    }
    Largest returned = new Largest();
    next = 0;
    for (Acquisition grant : byReturn) {
      for (; byReturn.get(next).granted < grant.granted; next++) {
        returned.add(byReturn.get(next));
      }
      if (grant.grantedValid > 0 && !wasForced(grant)) {
        compare(returned, grant, "held it before ");
      }
    }
  }

  private boolean wasForced(Acquisition grant) {
    for (History.Force force : lock.forces) {
      if (force.called() <= grant.granted && force.returned() >= grant.called) {
        return true;
      }
    }
    return false;
  }

  private void compare(Largest before, Acquisition grant, String how) {
    Acquisition larger = isReader(grant) ? before.writer : before.any;
    if (larger != null && larger.token > grant.token && told.add(grant)) {
      findings.add(
          Rule.TOKEN_ORDER,
          lock.name,
          grant.granted,
          larger
              + " with the token "
              + larger.token
              + " "
              + how
              + grant
              + ", which got the token "
              + grant.token);
    }
  }

  private static boolean isReader(Acquisition grant) {
    return grant.kind == LockKind.READ;
  }

  /** The grants with the largest tokens. */
  private static final class Largest {
    @Nullable Acquisition any;
    @Nullable Acquisition writer; // or the holder of anything but a read lock

    void add(Acquisition grant) {
      any = any == null || grant.token > any.token ? grant : any;
      if (!isReader(grant)) {
        writer = writer == null || grant.token > writer.token ? grant : writer;
      }
    }
  }
}
