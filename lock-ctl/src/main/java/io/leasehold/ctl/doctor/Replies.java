package io.leasehold.ctl.doctor;

import io.leasehold.redis.RedisErrorReply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads replies; what is not as expected reads as empty. */
final class Replies {
  private Replies() {}

  static Optional<String> text(@Nullable Object reply) {
    if (reply instanceof byte[] bytes) {
      return Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
    return reply instanceof Long number ? Optional.of(number.toString()) : Optional.empty();
  }

  /** The texts of a list; an empty one for each part that is none. */
  static List<String> texts(@Nullable Object reply) {
    List<String> texts = new ArrayList<>();
    list(reply).forEach(part -> texts.add(text(part).orElse("")));
    return texts;
  }

  static List<?> list(@Nullable Object reply) {
    return reply instanceof List<?> parts ? parts : List.of();
  }

  /** What the server said when it would not answer. */
  static Optional<RedisErrorReply> error(@Nullable Object reply) {
    return reply instanceof RedisErrorReply error ? Optional.of(error) : Optional.empty();
  }

  static boolean isForbidden(@Nullable Object reply) {
    return error(reply)
        .filter(
            error ->
                error.code().equals("NOPERM")
                    || String.valueOf(error.getMessage()).contains("no permissions"))
        .isPresent();
  }
}
