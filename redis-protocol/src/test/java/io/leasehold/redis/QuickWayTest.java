package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The quick ways through the scripts do what the long ones do: random requests, in random states of
 * the keys, leave the same keys and give the same answer with the quick part and without it.
 */
class QuickWayTest {
  private static final int TRIALS = 600;
  private static final long SECOND = 1_000_000;
  private static final String LOCK = "lock";
  private static final String FENCE = "leasehold:fence:lock";
  private static final String WAITERS = "leasehold:waiters:lock";
  private static final String TURN = "leasehold:turn:lock";
  private static final String FORCED = "leasehold:forced:lock";

  /**
   * A request, and what its keys are before it.
   *
   * @param state commands
   */
  private record Trial(Script script, List<String> keys, List<String> args, List<String> state) {}

  @ParameterizedTest
  @EnumSource(RedisVersion.class)
  void theQuickWayDoesWhatTheLongOneDoes(RedisVersion version) {
    Random random = new Random(20_261_117);
    int quick = 0;
    try (RedisServer server = RedisServer.builder().version(version).start()) {
      for (int i = 0; i < TRIALS; i++) {
        Trial trial = trial(now(server), random);
        List<?> with = run(server, trial, source(trial.script));
        String keysWith = keys(server, trial);
        List<?> without = run(server, inFull(trial), withoutTheQuickWay(trial.script));
        assertThat(isQuick(without)).isFalse();
        assertThat(meaning(trial, with)).as("%s", trial).isEqualTo(meaning(trial, without));
        assertThat(keysWith).as("%s", trial).isEqualTo(keys(server, trial));
        quick += isQuick(with) ? 1 : 0;
      }
    }
    assertThat(quick).as("quick ones").isBetween(TRIALS / 20, TRIALS / 2);
  }

  private static Trial trial(long now, Random random) {
    String fence = Long.toString(now + random.nextLong(-20 * SECOND, 20 * SECOND));
    List<String> state =
        List.of(
            pick(random, "DEL lock", "SET lock me PX 60000", "SET lock other PX 60000"),
            pick(
                random,
                "DEL " + FENCE,
                "DEL " + FENCE,
                "PSETEX " + FENCE + " 60000 " + fence,
                "PSETEX " + FENCE + " 60000 7",
                "PSETEX " + FENCE + " 60000 damaged",
                "SADD " + FENCE + " damaged"),
            pick(
                random,
                "DEL " + WAITERS,
                "DEL " + WAITERS,
                "ZADD " + WAITERS + " 1 client 2 another",
                "SET " + WAITERS + " damaged"));
    String proposal =
        pick(
            random,
            Long.toString(now), // as it usually is
            Long.toString(now),
            Long.toString(now),
            Long.toString(now - 9 * SECOND),
            Long.toString(now + 9 * SECOND),
            Long.toString(now / 10),
            "42");
    String notAfter =
        pick(
            random,
            "9007199254740991",
            "9007199254740991",
            Long.toString(now + 30 * SECOND),
            Long.toString(now - 30 * SECOND),
            "1");
    return switch (random.nextInt(4)) {
      case 0 ->
          new Trial(
              Script.GRANT,
              List.of(LOCK, FENCE),
              List.of("me", "30000", proposal, notAfter, "600000"),
              state);
      case 1 -> new Trial(Script.GRANT, List.of(LOCK, FENCE), List.of("me", proposal), state);
      case 2 ->
          new Trial(
              Script.TRANSFER,
              List.of(LOCK, FENCE, WAITERS, TURN, FORCED),
              List.of("me", "next", "30000", proposal, "600000", "client"),
              state);
      default ->
          new Trial(
              Script.RELEASE,
              List.of(LOCK, WAITERS, TURN, FORCED),
              random.nextBoolean() ? List.of("me", "client") : List.of("me", "client", "1"),
              state);
    };
  }

  /** With the terms that a grant left out. */
  private static Trial inFull(Trial trial) {
    if (trial.script != Script.GRANT || trial.args.size() > 2) {
      return trial;
    }
    String proposal = trial.args.get(1);
    String notAfter = Long.toString(Long.parseLong(proposal) + SECOND / 2);
    List<String> args = List.of(trial.args.get(0), "30000", proposal, notAfter, "600000");
    return new Trial(trial.script, trial.keys, args, trial.state);
  }

  private static List<?> run(RedisServer server, Trial trial, String source) {
    server.command("FLUSHALL");
    trial.state.forEach(command -> server.command(command.split(" ")));
    List<String> words = new ArrayList<>();
    words.addAll(List.of("EVAL", source, Integer.toString(trial.keys.size())));
    words.addAll(trial.keys);
    words.addAll(trial.args);
    try {
      Object reply = server.command(words.toArray(new String[0]));
      return reply instanceof List<?> parts ? parts : List.of(String.valueOf(reply).split(" "));
    } catch (io.leasehold.testkit.RedisErrorReply e) {
      return List.of("ERROR");
    }
  }

  private static boolean isQuick(List<?> reply) {
    return String.valueOf(reply.get(0)).matches("\\d+");
  }

  /**
   * A reply without the moment at which it was given. A token that comes from the clock, and not
   * from what was proposed or stored, is no more than that.
   */
  private static String meaning(Trial trial, List<?> reply) {
    if (isQuick(reply)) {
      return trial.script == Script.RELEASE
          ? "RELEASED 0"
          : granted(trial, proposal(trial), reply.size() == 1 ? 0 : reply.get(2));
    }
    String outcome = String.valueOf(reply.get(0));
    return switch (outcome) {
      case "GRANTED" -> granted(trial, reply.get(2), reply.get(4));
      case "RELEASED" -> outcome + " " + reply.get(2);
      default -> outcome;
    };
  }

  private static String granted(Trial trial, @Nullable Object token, @Nullable Object others) {
    return "GRANTED " + shown(trial, token) + " " + others;
  }

  /** A grant may leave its terms out. */
  private static String proposal(Trial trial) {
    if (trial.script == Script.TRANSFER) {
      return trial.args.get(3);
    }
    return trial.args.get(trial.args.size() == 2 ? 1 : 2);
  }

  /** A number that was proposed, or follows from what was stored; or that it is the clock's. */
  private static String shown(Trial trial, @Nullable Object number) {
    String text = String.valueOf(number);
    boolean known =
        trial.args.contains(text) || trial.state.stream().anyMatch(s -> s.endsWith(text));
    boolean next =
        text.matches("\\d+")
            && trial.state.stream().anyMatch(s -> s.endsWith(" " + (Long.parseLong(text) - 1)));
    return known || next ? text : "the clock's";
  }

  /** All keys with their values, and whether they end. */
  private static String keys(RedisServer server, Trial trial) {
    StringBuilder all = new StringBuilder();
    for (String key : List.of(LOCK, FENCE, WAITERS, TURN, FORCED)) {
      Object type = server.command("TYPE", key);
      all.append(key).append('=').append(type);
      if ("string".equals(type)) {
        all.append(shown(trial, server.command("GET", key)));
      } else if ("zset".equals(type)) {
        all.append(server.command("ZRANGE", key, "0", "-1"));
      }
      all.append(' ').append(!Long.valueOf(-1).equals(server.command("PTTL", key))).append('\n');
    }
    return all.toString();
  }

  private static long now(RedisServer server) {
    List<?> time = Listeners.list(server.command("TIME"));
    return Long.parseLong(String.valueOf(time.get(0))) * SECOND
        + Long.parseLong(String.valueOf(time.get(1)));
  }

  private static String pick(Random random, String... from) {
    return from[random.nextInt(from.length)];
  }

  private static String source(Script script) {
    return new String(script.source(), StandardCharsets.UTF_8);
  }

  /** Without the parts that are for the quick way. */
  private static String withoutTheQuickWay(Script script) {
    String source = source(script);
    int others = source.indexOf("-- Shared part: how many wait");
    int quick = source.indexOf("-- Shared part of the quick ways");
    int rest = source.indexOf("-- Shared part: how commands are called");
    return others >= 0 && others < quick
        ? source.substring(others, quick) + source.substring(rest)
        : source.substring(others >= 0 ? others : rest);
  }
}
