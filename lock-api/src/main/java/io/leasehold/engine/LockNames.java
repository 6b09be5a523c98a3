package io.leasehold.engine;

import io.leasehold.LockConfigurationException;
import io.leasehold.spi.ErrorCode;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Which texts can be the name of a lock. */
final class LockNames {
  static final int MAX_BYTES = 1_024;
  private static final String RESERVED = "leasehold:";

  private LockNames() {}

  /**
   * Puts the prefix before a name and checks the result.
   *
   * @throws LockConfigurationException when it cannot be a lock's name
   */
  static String full(String prefix, @Nullable String name) {
    if (name == null || name.isBlank()) {
      throw bad("A lock's name must not be null or blank");
    }
    String full = prefix + name;
    if (full.startsWith(RESERVED)) {
      throw bad("A lock's name must not begin with '" + RESERVED + "'");
    }
    if (full.length() > MAX_BYTES || utf8Length(full) > MAX_BYTES) {
      throw bad(
          "A lock's name has at most "
              + MAX_BYTES
              + " bytes of UTF-8 together with the prefix; this one has "
              + full.length()
              + " characters");
    }
    return full;
  }

  private static int utf8Length(String text) {
    try {
      // An unpaired surrogate would be replaced by '?': two names would become one lock.
      return StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .encode(CharBuffer.wrap(text))
          .remaining();
    } catch (CharacterCodingException e) {
      throw bad("A lock's name must not contain an unpaired surrogate");
    }
  }

  private static LockConfigurationException bad(String message) {
    return new LockConfigurationException(ErrorCode.BAD_NAME, "name", message);
  }
}
