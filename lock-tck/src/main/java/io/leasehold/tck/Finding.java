package io.leasehold.tck;

import java.util.Optional;

/**
 * Why a check did not pass.
 *
 * @param check the check, as a sentence
 * @param kind the sort of failure
 * @param message for a person
 * @param cause with the place where it was found
 */
public record Finding(String check, Kind kind, String message, Optional<Throwable> cause) {

  /** The sorts of failure. */
  public enum Kind {
    /** The check looked, and saw what must not be. */
    VIOLATION,
    /** The lock client threw one of its own exceptions where none was due. */
    UNEXPECTED,
    /** Something else was thrown: the provider, or the kit, is broken. It proves nothing. */
    BROKEN,
    /** The check did not come to an end. */
    TIMED_OUT
  }

  @Override
  public String toString() {
    return check + ": " + (kind == Kind.VIOLATION ? "" : kind + ": ") + message;
  }
}
