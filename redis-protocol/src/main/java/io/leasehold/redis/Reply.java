package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the reply of a script: an array of known length and known types. Anything else is an {@link
 * UnreadableReplyException}, whatever a broken or hostile server sent.
 */
final class Reply {
  /** Values at and above it are not exact in a script's arithmetic. */
  private static final long LIMIT = 1L << 53;

  private final List<?> items;

  Reply(List<?> items) {
    this.items = items;
  }

  Reply ofSize(int size) {
    if (items.size() != size) {
      throw new UnreadableReplyException(
          "the server's reply has " + items.size() + " parts instead of " + size);
    }
    return this;
  }

  /** Text that must be there. */
  String text(int index) {
    return optionalText(index).orElseThrow(() -> unreadable(index, "text"));
  }

  /** Text, or nothing. */
  Optional<String> optionalText(int index) {
    Object item = item(index);
    if (item == null) {
      return Optional.empty();
    }
    if (item instanceof byte[] bytes) {
      // Lenient: another client of this layout may own the lock with a value of any bytes.
      return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
    throw unreadable(index, "text");
  }

  /** A time to live as Redis tells it: -1 for none, -2 for no key. */
  long millis(int index) {
    if (item(index) instanceof Long number && number >= -2) {
      return number;
    }
    throw unreadable(index, "a time to live");
  }

  /** A count. */
  int count(int index) {
    if (item(index) instanceof Long number && number >= 0 && number <= Integer.MAX_VALUE) {
      return number.intValue();
    }
    throw unreadable(index, "a count");
  }

  /** A whole number in [0, 2⁵³), written out as text. */
  long number(int index) {
    String digits = text(index);
    if (digits.length() <= 16 && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      try {
        long value = Long.parseLong(digits);
        if (value < LIMIT) {
          return value;
        }
      } catch (NumberFormatException e) {
        // the empty text: falls through
      }
    }
    throw unreadable(index, "a number below 2^53");
  }

  /** As {@link #number}, and not zero. */
  long positive(int index) {
    long value = number(index);
    if (value == 0) {
      throw unreadable(index, "a positive number");
    }
    return value;
  }

  private @Nullable Object item(int index) {
    if (index >= items.size()) {
      throw new UnreadableReplyException("the server's reply is too short");
    }
    return items.get(index);
  }

  UnreadableReplyException unreadable(int index, String expected) {
    return new UnreadableReplyException(
        "part " + (index + 1) + " of the server's reply is not " + expected);
  }
}
