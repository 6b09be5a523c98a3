package io.leasehold.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Locks;
import io.leasehold.it.Opened;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random operations find a flaw that was put into a script. */
class FlawedScriptsTest {
  private static final int STEPS = 400;
  private static final int SEEDS = 30;

  /** A flaw in a script: what stands there, and what stands there instead. */
  private record Flaw(String script, String right, String wrong) {}

  static List<Flaw> flaws() {
    return List.of(
        new Flaw("grant", "held and held ~= ARGV[1]", "held and held == 'x'"),
        new Flaw("release", "held ~= ARGV[1]", "not held"),
        new Flaw("extend", "held ~= owner", "not held"),
        new Flaw("share", "not again and kept_out(holders, now)", "nil"),
        new Flaw("write", "count(KEYS[5], now) > 0", "false"),
        new Flaw("read", "writing ~= -2", "false"),
        new Flaw("downgrade", "  call('DEL', KEYS[4])\n  pcall(wake", "  pcall(wake"),
        new Flaw("permit", "holders < tonumber", "holders <= tonumber"),
        new Flaw("extend_share", "not live(members, owner, now)", "false"),
        new Flaw("unshare", "call('ZREM', KEYS[1], ARGV[1])", ""),
        new Flaw("members", "call('ZREMRANGEBYSCORE', members, '-inf', text(now))", ""),
        new Flaw("grant_all", "elseif held ~= ARGV[1]", "elseif held == 'x'"),
        new Flaw("grant_all", "call('SET', KEYS[i + 1], text(token), 'PX', ARGV[5])", ""),
        new Flaw("release_all", "call('DEL', KEYS[i])", "if i == 1 then call('DEL', KEYS[i]) end"));
  }

  @ParameterizedTest
  @MethodSource("flaws")
  void aFlawIsFound(Flaw flaw) throws IOException {
    try (RedisServer server = RedisServer.start();
        FlawedScripts flawed = new FlawedScripts(flaw.script, flaw.right, flaw.wrong);
        Opened one = open(server, flawed);
        Opened other = open(server, flawed)) {
      Optional<String> found = Optional.empty();
      for (long seed = 1; seed <= SEEDS && found.isEmpty(); seed++) {
        found = RandomOperations.run(List.of(one.node(), other.node()), seed, STEPS);
      }
      assertThat(found).isPresent();
    }
  }

  private static Opened open(RedisServer server, FlawedScripts flawed) {
    return Opened.open(
        Locks.builder()
            .provider(flawed.provider())
            .url("lock:jedis:redis://127.0.0.1:" + server.port()));
  }
}
