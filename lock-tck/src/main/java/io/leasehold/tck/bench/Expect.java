package io.leasehold.tck.bench;

import java.util.concurrent.Callable;

/**
 * How a check says that it saw what must not be. Its own little thing, so that the kit runs without
 * a test framework, and so that no other error is taken for a violation.
 */
public final class Expect {

  /** The provider violates what a check verifies. */
  public static final class Violation extends AssertionError {
    private static final long serialVersionUID = 1L;

    Violation(String message) {
      super(message);
    }
  }

  private Expect() {}

  /** A violation, to be thrown. */
  public static Violation violation(String message) {
    return new Violation(message);
  }

  /** Must be true. */
  public static void that(boolean condition, String otherwise) {
    if (!condition) {
      throw new Violation(otherwise);
    }
  }

  /** Must be equal. */
  public static void equal(Object expected, Object actual, String what) {
    if (!expected.equals(actual)) {
      throw new Violation(what + " must be " + expected + ", and is " + actual);
    }
  }

  /** Must be of a type. */
  public static <T> T type(Class<T> type, Object actual, String what) {
    if (!type.isInstance(actual)) {
      throw new Violation(what + " must be " + type.getSimpleName() + ", and is " + actual);
    }
    return type.cast(actual);
  }

  /** Must throw an exception of a type. */
  public static <T extends Throwable> T thrown(Class<T> type, Callable<?> call, String what) {
    Object result;
    try {
      result = call.call();
    } catch (Throwable e) {
      if (type.isInstance(e)) {
        return type.cast(e);
      }
      throw new Violation(what + " must throw " + type.getSimpleName() + ", and threw " + e);
    }
    throw new Violation(what + " must throw " + type.getSimpleName() + ", and returned " + result);
  }
}
