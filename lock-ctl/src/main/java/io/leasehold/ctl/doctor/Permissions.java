package io.leasehold.ctl.doctor;

import io.leasehold.ctl.doctor.Terms.Topology;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Which of the documented permissions a login lacks. Found out by calling each command in a way
 * that changes nothing: on a key that is not there, or so that it fails after the server has looked
 * at the permissions. Nobody needs a permission to be asked this way, and what scripts may call is
 * the same.
 *
 * @param missing what to grant, with who needs it
 * @param worst what it means
 */
record Permissions(Map<String, String> missing, Verdict worst) {

  /** One command that a client needs. */
  private record Need(String grant, Verdict without, String who, RedisCommand call) {}

  static Permissions of(RedisProbe probe, Endpoint server, Terms terms) {
    Map<String, String> missing = new LinkedHashMap<>();
    Set<Verdict> verdicts = new LinkedHashSet<>(Set.of(Verdict.OK));
    List<Need> needs = needs(terms, "leasehold:doctor:" + UUID.randomUUID());
    List<Object> replies = probe.ask(server, needs.stream().map(Need::call).toList());
    for (int i = 0; i < needs.size(); i++) {
      if (Replies.isForbidden(replies.get(i))) {
        missing.put(grant(needs.get(i), replies.get(i)), needs.get(i).who());
        verdicts.add(needs.get(i).without());
      }
    }
    try {
      probe.listen(server);
    } catch (RedisErrorReply e) {
      boolean command = !String.valueOf(e.getMessage()).contains("channel");
      missing.put(command ? "+subscribe" : "&leasehold:wake:*", "quick wake-ups: waiters poll");
      verdicts.add(Verdict.WARN);
    }
    return new Permissions(missing, verdicts.stream().max(Verdict::compareTo).orElseThrow());
  }

  private static String grant(Need need, Object reply) {
    String message = Replies.error(reply).map(error -> error.getMessage() + "").orElse("");
    if (message.contains("channel")) {
      return "&leasehold:wake:*";
    }
    return message.contains("key") && !message.contains("command") ? "~leasehold:*" : need.grant();
  }

  private static List<Need> needs(Terms terms, String key) {
    List<Need> needs = new ArrayList<>();
    String all = "every client";
    add(needs, Verdict.BAD, all, "EVALSHA", "0".repeat(40), "0");
    needs.add(
        new Need(
            "+script|load",
            Verdict.BAD,
            all,
            RedisCommand.of("SCRIPT", "LOAD", "return 'doctor'")));
    add(needs, Verdict.BAD, all, "INFO", "server");
    add(needs, Verdict.BAD, all, "TIME");
    add(needs, Verdict.BAD, all, "GET", key);
    add(needs, Verdict.BAD, all, "SET", key, "x", "XX", "PX", "1");
    add(needs, Verdict.BAD, all, "DEL", key);
    add(needs, Verdict.BAD, all, "PTTL", key);
    add(needs, Verdict.BAD, all, "PEXPIRE", key, "1");
    add(needs, Verdict.BAD, all, "ZADD", key, "XX", "0", "x");
    add(needs, Verdict.BAD, all, "ZCARD", key);
    String waiting = "quick wake-ups: without it waiters poll, or are passed over";
    add(needs, Verdict.WARN, waiting, "EXISTS", key);
    add(needs, Verdict.WARN, waiting, "ZREM", key, "x");
    add(needs, Verdict.WARN, waiting, "ZRANGE", key, "0", "0");
    add(needs, Verdict.WARN, waiting, "PUBLISH", "leasehold:wake:doctor", "");
    Verdict fair = terms.fair() ? Verdict.BAD : Verdict.WARN;
    add(needs, fair, "fair and read-write locks, semaphores", "ZSCORE", key, "x");
    String kinds = "read-write locks, semaphores";
    add(needs, Verdict.WARN, kinds, "ZREMRANGEBYSCORE", key, "0", "0");
    add(needs, Verdict.WARN, "lockctl list", "SCAN", "0", "COUNT", "1");
    if (terms.guarded()) {
      add(needs, Verdict.BAD, "the guard", "HMGET", key, "x");
      add(needs, Verdict.BAD, "the guard", "HSET", key, "x", "x", "odd"); // refused: no value
      add(needs, Verdict.WARN, "lockctl vouch", "HGET", key, "x");
    }
    if (terms.guarded() && terms.topology().failsOver()) {
      needs.add(
          new Need(
              "+config|get",
              Verdict.WARN,
              "the guard, to know min-replicas (LH-203)",
              RedisCommand.of("CONFIG", "GET", "min-replicas-*")));
    }
    if (terms.minReplicas() > 0) {
      add(needs, Verdict.BAD, "minReplicas", "WAIT", "0", "1");
    }
    if (terms.topology() == Topology.CLUSTER) {
      needs.add(
          new Need(
              "+cluster|slots", Verdict.BAD, "a cluster", RedisCommand.of("CLUSTER", "SLOTS")));
      add(needs, Verdict.BAD, "a cluster, while slots move", "ASKING");
      add(needs, Verdict.BAD, all, "TIME"); // what ASKING was for
    }
    return needs;
  }

  private static void add(
      List<Need> needs, Verdict without, String who, String command, Object... args) {
    String grant = "+" + command.toLowerCase(Locale.ROOT);
    needs.add(new Need(grant, without, who, RedisCommand.of(command, args)));
  }

  Finding finding() {
    if (missing.isEmpty()) {
      return Finding.ok(Check.PERMISSIONS, "the login may do all that clients of this URL do");
    }
    List<String> each = new ArrayList<>();
    missing.forEach((grant, who) -> each.add(grant + " (" + who + ")"));
    return new Finding(
        Check.PERMISSIONS,
        worst,
        "the login lacks " + String.join(", ", each),
        Optional.of(
            "ACL SETUSER <the user> "
                + String.join(" ", missing.keySet())
                + "; all of them are in docs/redis.md#permissions"));
  }
}
