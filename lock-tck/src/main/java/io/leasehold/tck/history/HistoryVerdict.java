package io.leasehold.tck.history;

import java.util.List;
import java.util.Map;

/**
 * What a check found.
 *
 * @param operations the calls that acquire, and the releases
 * @param grants the calls that returned with a lease
 * @param refusals the calls that returned without one
 * @param losses the leases that were lost
 * @param faults the faults by kind
 * @param violations what must not have happened, in the order of time; of each rule at each lock
 *     the first {@value HistoryChecker#AT_MOST} only
 */
public record HistoryVerdict(
    long operations,
    long grants,
    long refusals,
    long losses,
    Map<String, Long> faults,
    List<Violation> violations) {}
