package io.leasehold.tck.history;

import io.leasehold.tck.history.WaitingRules.Demand;
import java.util.ArrayList;
import java.util.List;

/** No client takes a lock again and again while another waits for it. */
final class HoardRules {
  /** So many grants in a row to one client while another waits are no accident. */
  private static final int IN_A_ROW = 20;

  private HoardRules() {}

  /**
   * @param grants in the order in which they returned
   * @param demands in the order in which they began
   */
  static void check(
      LockHistory lock,
      List<Acquisition> grants,
      List<Demand> demands,
      long bound,
      Weather weather,
      Findings findings) {
    if (lock.family != LockHistory.Family.MUTEX) {
      return;
    }
    int next = 0;
    List<Demand> waiting = new ArrayList<>();
    for (int first = 0; first < grants.size(); ) {
      int end = first + 1;
      while (end < grants.size() && grants.get(end).client == grants.get(first).client) {
        end++;
      }
      long from = grants.get(first).granted;
      long to = grants.get(end - 1).granted;
      for (; next < demands.size() && demands.get(next).from() <= to - bound; next++) {
        waiting.add(demands.get(next));
      }
      waiting.removeIf(demand -> demand.to() < from + bound);
      if (end - first >= IN_A_ROW && to - from >= bound && !weather.storms().touch(from, to)) {
        check(lock, grants.subList(first, end), waiting, bound, findings);
      }
      first = end;
    }
  }

  private static void check(
      LockHistory lock,
      List<Acquisition> run,
      List<Demand> waiting,
      long bound,
      Findings findings) {
    Recorded client = run.get(0).client;
    long end = run.get(run.size() - 1).granted;
    for (Demand demand : waiting) {
      long since = Math.max(run.get(0).granted, demand.from());
      long until = Math.min(end, demand.to());
      if (demand.call().client == client || until - since < bound) {
        continue;
      }
      long meanwhile =
          run.stream().filter(grant -> grant.granted >= since && grant.granted <= until).count();
      if (meanwhile >= IN_A_ROW) {
        findings.add(
            Rule.HOARDED,
            lock.name,
            since,
            demand.call()
                + " waited for "
                + Findings.millis(until - since)
                + " while "
                + client
                + " got it "
                + meanwhile
                + " times");
        return;
      }
    }
  }
}
