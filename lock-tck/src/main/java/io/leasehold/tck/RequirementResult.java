package io.leasehold.tck;

import java.util.List;
import java.util.OptionalLong;

/**
 * What became of one requirement.
 *
 * @param requirement the requirement
 * @param status what became of it
 * @param reason why it was skipped, cannot be tested, or was not run; empty otherwise
 * @param checks the checks that ran for it, as sentences
 * @param findings why it failed; empty otherwise
 * @param seed the seed, when one of its checks drew random numbers
 */
public record RequirementResult(
    Requirement requirement,
    Status status,
    String reason,
    List<String> checks,
    List<Finding> findings,
    OptionalLong seed) {

  /** What can become of a requirement. */
  public enum Status {
    /** All of its checks passed. */
    PASSED,
    /** At least one of its checks did not pass. */
    FAILED,
    /** It does not apply to the subject, for the reason given. */
    SKIPPED,
    /** It applies, and was not tested. As bad as failed. */
    NOT_RUN,
    /** It cannot be tested from outside, for the reason given. */
    UNTESTABLE
  }

  /** Copies the lists. */
  public RequirementResult {
    checks = List.copyOf(checks);
    findings = List.copyOf(findings);
    boolean explained = status == Status.PASSED || status == Status.FAILED || !reason.isBlank();
    if (!explained) {
      throw new IllegalArgumentException(requirement + " is " + status + " without a reason");
    }
    boolean evident =
        switch (status) {
          case PASSED -> !checks.isEmpty();
          case FAILED -> !findings.isEmpty();
          case SKIPPED, NOT_RUN, UNTESTABLE -> true;
        };
    if (!evident) {
      throw new IllegalArgumentException(requirement + " is " + status + " without evidence");
    }
  }

  static RequirementResult without(Requirement requirement, Status status, String reason) {
    return new RequirementResult(
        requirement, status, reason, List.of(), List.of(), OptionalLong.empty());
  }

  /** Whether this result stands in the way of a certificate. */
  public boolean prevents() {
    return requirement.level() == Requirement.Level.MUST
        && (status == Status.FAILED || status == Status.NOT_RUN);
  }
}
