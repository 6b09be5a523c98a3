package io.leasehold.redis;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster node answers that does not serve a slot: nothing was carried out, ask there.
 *
 * @param moved whether for good; otherwise only this time, with ASKING before it
 * @param slot the slot
 * @param target whom to ask
 */
record Redirection(boolean moved, int slot, Endpoint target) {

  /**
   * Reads it from a reply.
   *
   * @param asked who answered: a node that does not know the host names none, and means its own
   */
  static Optional<Redirection> of(@Nullable Object reply, Endpoint asked) {
    if (!(reply instanceof RedisErrorReply error
        && (error.code().equals("MOVED") || error.code().equals("ASK")))) {
      return Optional.empty();
    }
    String[] words = String.valueOf(error.getMessage()).split(" ", -1);
    int colon = words.length < 3 ? -1 : words[2].lastIndexOf(':');
    if (colon < 0
        || !words[1].matches("\\d{1,5}")
        || Integer.parseInt(words[1]) >= ClusterSlots.COUNT
        || !words[2].substring(colon + 1).matches("\\d{1,5}")
        || !Endpoint.isPort(Integer.parseInt(words[2].substring(colon + 1)))) {
      return Optional.empty(); // an error like any other
    }
    String host = words[2].substring(0, colon);
    return Optional.of(
        new Redirection(
            words[0].equals("MOVED"),
            Integer.parseInt(words[1]),
            Endpoint.data(
                host.isEmpty() ? asked.host() : host,
                Integer.parseInt(words[2].substring(colon + 1)))));
  }
}
