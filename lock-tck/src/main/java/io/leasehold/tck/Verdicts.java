package io.leasehold.tck;

import io.leasehold.spi.Capability;
import io.leasehold.tck.RequirementResult.Status;
import io.leasehold.tck.checks.Check;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** From what became of the checks to what became of the requirements. Used by one thread. */
final class Verdicts {
  private final Subject subject;
  private final Set<Requirement> selection;
  private final long seed;
  private final Map<Requirement, RequirementResult> settled = new EnumMap<>(Requirement.class);
  private final Set<Requirement> applicable = EnumSet.noneOf(Requirement.class);
  private final List<CheckResult> results = new ArrayList<>();
  private Set<Capability> capabilities = Set.of();

  Verdicts(Subject subject, Set<Requirement> selection, long seed) {
    this.subject = subject;
    this.selection = selection;
    this.seed = seed;
  }

  /** Decides what applies to the subject. The only place where anything is skipped. */
  void applies(Set<Capability> declared) {
    capabilities = Set.copyOf(declared);
    for (Requirement requirement : Requirement.values()) {
      Testing testing = requirement.testing();
      Optional<String> skip = testing.skipReason(subject, capabilities);
      if (testing.kind() == Testing.Kind.UNTESTABLE) {
        settle(requirement, Status.UNTESTABLE, testing.description());
      } else if (skip.isPresent()) {
        settle(requirement, Status.SKIPPED, skip.get());
      } else if (!selection.contains(requirement)) {
        settle(requirement, Status.NOT_RUN, "it was not selected for this run");
      } else {
        applicable.add(requirement);
      }
    }
  }

  void nothingRan(String why) {
    for (Requirement requirement : Requirement.values()) {
      Testing testing = requirement.testing();
      boolean untestable = testing.kind() == Testing.Kind.UNTESTABLE;
      settle(
          requirement,
          untestable ? Status.UNTESTABLE : Status.NOT_RUN,
          untestable ? testing.description() : why);
    }
  }

  private void settle(Requirement requirement, Status status, String reason) {
    settled.put(requirement, RequirementResult.without(requirement, status, reason));
  }

  /** Whether a check verifies anything that applies, and suits the subject. */
  boolean wants(Check check) {
    return check.suits(subject, capabilities)
        && check.requirements().stream().anyMatch(applicable::contains);
  }

  CheckResult add(CheckResult result) {
    results.add(result);
    return result;
  }

  int done() {
    return results.size();
  }

  /** The result of every requirement there is, in order. */
  List<RequirementResult> results() {
    List<RequirementResult> all = new ArrayList<>();
    for (Requirement requirement : Requirement.values()) {
      RequirementResult known = settled.get(requirement);
      all.add(known != null ? known : tested(requirement));
    }
    return all;
  }

  private RequirementResult tested(Requirement requirement) {
    List<CheckResult> own =
        results.stream()
            .filter(result -> result.check().requirements().contains(requirement))
            .toList();
    if (own.isEmpty()) {
      return RequirementResult.without(requirement, Status.NOT_RUN, "the kit has no check for it");
    }
    List<Finding> findings = own.stream().flatMap(r -> r.finding().stream()).toList();
    return new RequirementResult(
        requirement,
        findings.isEmpty() ? Status.PASSED : Status.FAILED,
        "",
        own.stream().map(result -> result.check().sentence()).toList(),
        findings,
        own.stream().anyMatch(CheckResult::random) ? OptionalLong.of(seed) : OptionalLong.empty());
  }
}
