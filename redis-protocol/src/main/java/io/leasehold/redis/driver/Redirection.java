package io.leasehold.redis.driver;

import io.leasehold.redis.RedisErrorReply;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a node of a cluster sends a command that it did not carry out.
 *
 * @param ask whether only this command goes there, after ASKING; otherwise the slot has moved
 * @param host the node's host; empty means the host of the node that answered
 * @param port its port
 */
public record Redirection(boolean ask, String host, int port) {
  private static final Pattern ADDRESS = Pattern.compile("(MOVED|ASK) \\d{1,5} (.*):(\\d{1,5})");

  /** What a reply says about it; empty for every other reply. */
  public static Optional<Redirection> of(Object reply) {
    if (!(reply instanceof RedisErrorReply error)) {
      return Optional.empty();
    }
    Matcher matcher = ADDRESS.matcher(String.valueOf(error.getMessage()));
    return matcher.matches()
        ? Optional.of(
            new Redirection(
                matcher.group(1).equals("ASK"),
                matcher.group(2),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }
}
