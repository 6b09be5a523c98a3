package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Identity;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Asked of every server on every new connection, before it is used: loads scripts, and checks that
 * locks may be kept there.
 */
final class ServerCheck {
  private static final String CONFIG_PATTERN = "min-replicas-*";

  private final List<Script> scripts;
  private final Guard guard;
  private final Noticed noticed;

  /**
   * @param scripts those that will be called
   */
  ServerCheck(List<Script> scripts, Guard guard, Noticed noticed) {
    this.scripts = scripts;
    this.guard = guard;
    this.noticed = noticed;
  }

  /** What is sent. */
  List<RedisCommand> questions() {
    List<RedisCommand> questions = new ArrayList<>();
    questions.add(RedisCommand.of("INFO"));
    for (Script script : scripts) {
      questions.add(RedisCommand.of("SCRIPT", "LOAD", script.source()));
    }
    if (guard.asksForReplicas()) {
      questions.add(RedisCommand.of("CONFIG", "GET", CONFIG_PATTERN));
    }
    return questions;
  }

  /**
   * What the answers mean.
   *
   * @throws RedisErrorReply when the server refused to answer
   * @throws ServerRefused when it must not be used
   * @throws UnreadableReplyException when it makes no sense
   */
  void judge(Endpoint server, List<Object> replies) {
    for (Object reply : replies.subList(0, scripts.size() + 1)) {
      if (reply instanceof RedisErrorReply error) {
        throw error;
      }
    }
    if (!(replies.get(0) instanceof byte[] text)) {
      throw new UnreadableReplyException("the server's INFO is not text");
    }
    ServerInfo info = ServerInfo.parse(new String(text, StandardCharsets.UTF_8));
    if (info.identity().role() == Identity.Role.REPLICA) {
      throw new ServerRefused(
          FailureKind.READ_ONLY,
          "the server is a replica: locks must be kept on the primary, use its address");
    }
    if (info.mayEvict()) {
      if (guard.isOn()) {
        throw new ServerRefused(
            FailureKind.UNSAFE,
            "the server may drop locks when its memory is full, and the guard is on: set"
                + " maxmemory-policy to noeviction");
      }
      noticed.evicting(server);
    }
    if (guard.asksForReplicas()) {
      guard.learnReplicas(server, replies.get(scripts.size() + 1), info.connectedReplicas());
    }
  }

  /** The value of a setting in the reply to CONFIG GET; -1 when it is not there. */
  static long setting(Object reply, String name) {
    byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
    if (reply instanceof List<?> pairs) {
      for (int i = 0; i + 1 < pairs.size(); i += 2) {
        if (pairs.get(i) instanceof byte[] key
            && Arrays.equals(key, wanted)
            && pairs.get(i + 1) instanceof byte[] value) {
          String digits = new String(value, StandardCharsets.US_ASCII);
          return digits.matches("\\d{1,9}") ? Long.parseLong(digits) : -1;
        }
      }
    }
    return -1;
  }
}
