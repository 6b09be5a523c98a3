package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.testkit.RedisVersion;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Random requests do what a small model says; and the model notices a script that does not. */
class RandomKindsTest {
  private static final int STEPS = 1_500;
  private static final long SEED = 20_261_117;

  @SuppressWarnings("NullAway.Init")
  private OnServer on;

  /** What is driven. */
  enum Kind {
    READ_WRITE,
    PERMITS,
    SETS
  }

  @BeforeEach
  void start() {
    on = new OnServer(RedisVersion.V7_0);
  }

  @AfterEach
  void stop() {
    on.close();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyAnswerIsTheModels(Kind kind) {
    for (int run = 0; run < 4; run++) {
      of(kind, SEED + run, UnaryOperator.identity()).run(STEPS);
      assertThat(on.keysWithoutExpiry()).isEmpty();
    }
  }

  /** One piece of a script is another, as if somebody had slipped. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "READ_WRITE; if writing ~= -2 then; if false then",
        "READ_WRITE; if count(KEYS[5], now) > 0 then; if false then",
        "READ_WRITE; return stop and tonumber(stop) > now; return stop",
        "READ_WRITE; return stop and tonumber(stop) > now; return true",
        "READ_WRITE; local writes = held == ARGV[1]; local writes = true",
        "READ_WRITE; call('DEL', KEYS[4]); local _",
        "READ_WRITE; floor + 1; floor",
        "READ_WRITE; call('ZREM', KEYS[1], ARGV[1]); local _",
        "READ_WRITE; if held and held ~= ARGV[1] then; if held then",
        "PERMITS; if holders < tonumber(ARGV[9]) then; if holders <= tonumber(ARGV[9]) then",
        "PERMITS; if holders < tonumber(ARGV[9]) then; if holders + 1 < tonumber(ARGV[9]) then",
        "PERMITS; '-inf', text(now); '-inf', 0",
        "PERMITS; local again = live(KEYS[1], ARGV[1], now); local again = false",
        "SETS; taken = taken or i; taken = nil",
        "SETS; elseif held ~= ARGV[1] then; else",
        "SETS; math.max(token, next_token(; math.min(1, next_token(",
        "SETS; if held ~= ARGV[1] then; if not held then",
      })
  void aSlipInAScriptIsNoticed(Kind kind, String right, String wrong) {
    boolean[] changed = new boolean[1];
    RandomKinds damaged =
        of(
            kind,
            SEED,
            source -> {
              String other = source.replace(right, wrong);
              changed[0] |= !other.equals(source);
              return other;
            });
    assertThatThrownBy(() -> damaged.run(STEPS)).isInstanceOf(AssertionError.class);
    assertThat(changed[0]).isTrue();
  }

  private RandomKinds of(Kind kind, long seed, UnaryOperator<String> change) {
    return switch (kind) {
      case READ_WRITE -> new RandomKinds.ReadWrite(on, seed, change);
      case PERMITS -> new RandomKinds.Permits(on, seed, change);
      case SETS -> new RandomKinds.Sets(on, seed, change);
    };
  }
}
