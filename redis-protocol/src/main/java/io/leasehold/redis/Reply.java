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

  private static final long MILLION = 1_000_000;

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

  /** A time to live as Redis gives it: -1 for none, -2 for no key. */
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
    long value = item(index) instanceof byte[] digits ? Ascii.parse(digits) : -1;
    if (value >= 0 && value < LIMIT) {
      return value;
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

  /** Whether it is the usual case of a reply without content. */
  boolean isDone() {
    return items.size() == 1 && items.get(0) instanceof Long number && number == 1;
  }

  /** Whether it is the one text of the usual case, which begins with a digit. */
  boolean isUsual() {
    return items.size() == 1
        && items.get(0) instanceof byte[] text
        && text.length > 0
        && text[0] >= '1'
        && text[0] <= '9';
  }

  /** Of the usual case: the server's clock in microseconds. */
  long usualClock() {
    long seconds = usual(0);
    long micros = usual(1);
    if (seconds >= LIMIT / MILLION || micros >= MILLION) {
      throw unreadable(0, "a time");
    }
    return seconds * MILLION + micros;
  }

  /** Of the usual case: how many others wait. */
  int usualOthers() {
    long others = usual(2);
    if (others > Integer.MAX_VALUE) {
      throw unreadable(0, "a count");
    }
    return (int) others;
  }

  /** One of the three numbers of the usual case, which spaces part. */
  private long usual(int which) {
    byte[] text = item(0) instanceof byte[] bytes ? bytes : new byte[0];
    int number = 0;
    int from = 0;
    long value = -1;
    for (int end = 0; end <= text.length; end++) {
      if (end == text.length || text[end] == ' ') {
        value = number == which ? Ascii.parse(text, from, end) : value;
        number++;
        from = end + 1;
      }
    }
    if (number != 3 || value < 0) {
      throw unreadable(0, "three numbers");
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
