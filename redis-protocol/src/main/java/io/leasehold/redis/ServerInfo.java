package io.leasehold.redis;

import io.leasehold.spi.Identity;
import java.util.HashMap;
import java.util.Map;

/** What a server tells about itself with INFO. One reply, so the facts belong together. */
final class ServerInfo {
  private final Map<String, String> fields = new HashMap<>();

  private ServerInfo() {}

  static ServerInfo parse(String text) {
    ServerInfo info = new ServerInfo();
    text.lines()
        .filter(line -> line.indexOf(':') > 0)
        .forEach(
            line -> {
              int colon = line.indexOf(':');
              info.fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
    return info;
  }

  Identity identity() {
    String runId = required("run_id");
    if (!runId.matches("[0-9a-zA-Z]{1,64}")) {
      throw new UnreadableReplyException("the server's run_id is not an id");
    }
    return new Identity(
        runId,
        switch (required("role")) {
          case "master" -> Identity.Role.PRIMARY;
          case "slave", "replica" -> Identity.Role.REPLICA;
          default -> throw new UnreadableReplyException("the server's role is not known");
        },
        number(required("server_time_usec")));
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

  private String required(String field) {
    String value = fields.get(field);
    if (value == null) {
      throw new UnreadableReplyException("the server's INFO has no " + field);
    }
    return value;
  }

  private static long number(String digits) {
    if (!digits.matches("\\d{1,16}")) {
      throw new UnreadableReplyException("the server's clock is not a number");
    }
    return Long.parseLong(digits);
  }
}
