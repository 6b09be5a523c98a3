package io.leasehold.tck.control;

import io.leasehold.spi.LockNode;
import io.leasehold.tck.toy.QuorumRules;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Everybody begins with a node of their own, and all try again at the same moment: once there are
 * as many contenders as nodes, each of them gets one vote and misses all others, time and again.
 */
final class Lockstep extends QuorumRules {
  private final Map<String, Set<Object>> contenders = new ConcurrentHashMap<>();

  @Override
  public void ask(Attempt attempt) {
    if (contenders(attempt).size() < attempt.members().size()) {
      super.ask(attempt);
      return;
    }
    int place = Math.floorMod(System.identityHashCode(attempt.client()), attempt.members().size());
    LockNode own = attempt.members().get(place);
    attempt.ask(own);
    attempt.members().stream().filter(member -> member != own).forEach(attempt::miss);
  }

  @Override
  public void failed(Attempt attempt) {
    contenders(attempt).add(attempt.client());
  }

  private Set<Object> contenders(Attempt attempt) {
    return contenders.computeIfAbsent(attempt.name(), name -> ConcurrentHashMap.newKeySet());
  }

  @Override
  public long busyMillis(long remaining) {
    return 1;
  }
}
