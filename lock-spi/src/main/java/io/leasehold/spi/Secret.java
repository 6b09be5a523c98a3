package io.leasehold.spi;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A text that is never printed by accident. Only {@link #reveal()} gives it away. */
public final class Secret {
  private final String value;

  /** Wraps a secret. */
  public Secret(String value) {
    this.value = value;
  }

  /** The secret itself: for the driver's login call, and for nothing else. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret
        && MessageDigest.isEqual(
            value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int hashCode() {
    return 0; // A hash of a secret tells something about it.
  }

  @Override
  public String toString() {
    return "***";
  }
}
