package io.leasehold.tck;

import java.util.Set;

/**
 * One more check has ended.
 *
 * @param done how many have ended
 * @param total how many there are
 * @param check the one that ended, as a sentence
 * @param requirements what it verifies
 * @param passed whether it passed
 */
public record Progress(
    int done, int total, String check, Set<Requirement> requirements, boolean passed) {

  /** Copies the set. */
  public Progress {
    requirements = Set.copyOf(requirements);
  }
}
