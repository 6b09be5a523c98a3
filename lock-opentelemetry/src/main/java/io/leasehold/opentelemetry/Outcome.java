package io.leasehold.opentelemetry;

import io.leasehold.LockClosedException;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import java.util.Locale;
import java.util.concurrent.CancellationException;

/**
 * How a call ended. What a caller has to reckon with is an outcome and no error: somebody else held
 * the lock, or the caller itself, or its application, wanted no more of it.
 */
enum Outcome {
  ACQUIRED(false),
  BUSY(false),
  UNAVAILABLE(true),
  INTERRUPTED(false),
  CANCELLED(false),
  CLOSED(false),
  ERROR(true);

  private final boolean error;

  Outcome(boolean error) {
    this.error = error;
  }

  static Outcome of(Throwable failure) {
    if (failure instanceof LockTimeoutException) {
      return BUSY;
    }
    if (failure instanceof LockUnavailableException) {
      return UNAVAILABLE;
    }
    if (failure instanceof InterruptedException) {
      return INTERRUPTED;
    }
    if (failure instanceof CancellationException) {
      return CANCELLED;
    }
    return failure instanceof LockClosedException ? CLOSED : ERROR;
  }

  boolean isError() {
    return error;
  }

  /** The value of the attribute. */
  String value() {
    return value(this);
  }

  /** A constant as the value of an attribute. */
  static String value(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
