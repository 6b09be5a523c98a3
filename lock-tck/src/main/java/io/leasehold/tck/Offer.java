package io.leasehold.tck;

import org.jspecify.annotations.Nullable;

/**
 * Something that a subject may have for the kit. Where it is missing, the reason is stated, and
 * stands in the report beside every requirement that is skipped for it.
 *
 * @param <T> what is offered
 */
public final class Offer<T> {
  private final @Nullable T value;
  private final String reason;

  private Offer(@Nullable T value, String reason) {
    this.value = value;
    this.reason = reason;
  }

  /** Here it is. */
  public static <T> Offer<T> of(T value) {
    return new Offer<>(value, "");
  }

  /**
   * It is not to be had.
   *
   * @param reason why; a sentence for the report
   * @throws IllegalArgumentException when the reason is blank
   */
  public static <T> Offer<T> none(String reason) {
    if (reason.isBlank()) {
      throw new IllegalArgumentException("what is not offered needs a reason");
    }
    return new Offer<>(null, reason);
  }

  /** Whether it is to be had. */
  public boolean isPresent() {
    return value != null;
  }

  /**
   * What is offered.
   *
   * @throws IllegalStateException with the reason, when it is not to be had
   */
  public T get() {
    if (value == null) {
      throw new IllegalStateException(reason);
    }
    return value;
  }

  /** Why it is missing; empty when it is there. */
  public String reason() {
    return reason;
  }

  @Override
  public String toString() {
    return value == null ? "none: " + reason : "offered";
  }
}
