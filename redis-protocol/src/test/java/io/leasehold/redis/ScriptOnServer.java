package io.leasehold.redis;

import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Runs a script on a real server, with no client between. */
final class ScriptOnServer {
  private ScriptOnServer() {}

  /** The parts of the reply in one text; of an error, its words. */
  static String call(RedisServer server, ScriptCall call) {
    return call(server, call, "");
  }

  /**
   * The same with something in front of the script.
   *
   * @param before Lua that is run first
   */
  static String call(RedisServer server, ScriptCall call, String before) {
    List<String> words = new ArrayList<>(List.of("EVAL"));
    words.add(before + new String(call.script().source(), StandardCharsets.UTF_8));
    call.args().stream()
        .skip(1) // the digest
        .forEach(word -> words.add(new String(word, StandardCharsets.UTF_8)));
    try {
      return String.valueOf(server.command(words.toArray(new String[0]))).replaceAll("^\\[|]$", "");
    } catch (io.leasehold.testkit.RedisErrorReply e) {
      return String.valueOf(new RedisErrorReply(String.valueOf(e.getMessage())).getMessage());
    }
  }
}
