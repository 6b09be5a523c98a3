package io.leasehold.redis;

import io.leasehold.spi.Identity;
import java.util.HashMap;
import java.util.Map;

/** What a server says about itself with INFO. One reply, so the facts belong together. */
final class ServerInfo {
  private final Map<String, String> fields = new HashMap<>();

  ServerInfo(String text) {
    text.lines()
        .map(line -> line.split(":", 2))
        .filter(field -> field.length == 2)
        .forEach(field -> fields.put(field[0], field[1].strip()));
  }

  Identity identity() {
    String runId = field("run_id", "[0-9a-zA-Z]{1,64}");
    Identity.Role role =
        field("role", "master|slave|replica").equals("master")
            ? Identity.Role.PRIMARY
            : Identity.Role.REPLICA;
    return new Identity(runId, role, Long.parseLong(field("server_time_usec", "\\d{1,16}")));
  }

  private String field(String name, String pattern) {
    String value = fields.getOrDefault(name, "");
    if (!value.matches(pattern)) {
      throw new UnreadableReplyException(
          "the server's INFO has no " + name + ", or one that makes no sense");
    }
    return value;
  }

  /** Whether the server may drop a lock when its memory is full. */
  boolean mayEvict() {
    return !"0".equals(fields.getOrDefault("maxmemory", "0"))
        && !"noeviction".equals(fields.getOrDefault("maxmemory_policy", "noeviction"));
  }

  /** How many replicas are connected, as far as it says. */
  long connectedReplicas() {
    String digits = fields.getOrDefault("connected_slaves", "0");
    return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : 0;
  }
}
