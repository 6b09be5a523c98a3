package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.Released;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.Vouched;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RepliesTest {
  private static final long NOW = 1_794_801_418_162_878L;
  private static final String AT = Long.toString(NOW);

  @Test
  void aGrantHasFiveOutcomes() {
    assertThat(Replies.grant(reply("GRANTED", AT, "7", "0", 0L), 7)).isEqualTo(new Granted(7, NOW));
    assertThat(Replies.grant(reply("BUSY", AT, 1500L), 7)).isEqualTo(new Busy(1500, NOW));
    assertThat(Replies.grant(reply("BUSY", AT, -1L), 7)).isEqualTo(new Busy(Busy.UNKNOWN, NOW));
    assertThat(Replies.grant(reply("GUARDED", AT, "250"), 7)).isEqualTo(new Guarded(250, NOW));
    assertThat(Replies.grant(reply("EXPIRED", AT), 7)).isEqualTo(new Expired(NOW));
  }

  @Test
  void theOthersHaveTheirs() {
    assertThat(Replies.raise(reply("GUARDED", AT, "1"))).isEqualTo(new Guarded(1, NOW));
    assertThat(Replies.transfer(reply("GUARDED", AT, "1"), 7)).isEqualTo(new Guarded(1, NOW));
    assertThat(Replies.vouch(reply("VOUCHED", AT))).isEqualTo(new Vouched(NOW));
    assertThat(Replies.longestQuarantine(reply("GRANTED", AT, "8", "61000", 0L))).isEqualTo(61_000);
    assertThat(Replies.raise(reply("RAISED", AT))).isEqualTo(new Raised(NOW));
    assertThat(Replies.raise(reply("REFUSED", AT, "0"))).isEqualTo(new Refused(0, NOW));
    assertThat(Replies.release(reply("RELEASED", AT, 0L))).isEqualTo(new Released(NOW));
    assertThat(Replies.release(reply("RELEASED", AT, 1L))).isEqualTo(new Released(NOW, true));
    assertThat(Replies.release(reply("TAKEN", AT)))
        .isEqualTo(new NotHeld(NotHeld.Cause.TAKEN, NOW));
    assertThat(Replies.transfer(reply("GRANTED", AT, "8", "0", 2L), 7))
        .isEqualTo(new Granted(8, NOW, 1, List.of(), 2));
    assertThat(Replies.transfer(reply("GRANTED", AT, "8", "0", 0L), 7))
        .isEqualTo(new Granted(8, NOW));
    assertThat(Replies.transfer(reply("GUARDED", AT, "1"), 7)).isEqualTo(new Guarded(1, NOW));
    assertThat(Replies.transfer(reply("TAKEN", AT), 7))
        .isEqualTo(new NotHeld(NotHeld.Cause.TAKEN, NOW));
    assertThat(Replies.transfer(reply("FORCED", AT), 7))
        .isEqualTo(new NotHeld(NotHeld.Cause.FORCED, NOW));
  }

  @Test
  void theUsualCaseTellsTheServersClockAndNoMore() {
    assertThat(Replies.grant(reply("1794801418 162878 3"), 7))
        .isEqualTo(new Granted(7, NOW, 1, List.of(), 3));
    assertThat(Replies.transfer(reply("1794801418 162878 1"), 7))
        .isEqualTo(new Granted(7, NOW, 1, List.of(), 1));
    assertThat(Replies.grant(reply(1L), 7))
        .as("the proposal is the clock, as near as makes no difference")
        .isEqualTo(new Granted(7, ServerClock.UNKNOWN));
    assertThat(Replies.longestQuarantine(reply("1794801418 162878 0"))).isZero();
    assertThat(Replies.longestQuarantine(reply(1L))).isZero();
  }

  @Test
  void theUsualReleaseDoesNotTellTheServersClock() {
    assertThat(Replies.release(reply(1L))).isEqualTo(new Released(ServerClock.UNKNOWN));
    assertThatThrownBy(() -> Replies.release(reply(0L)))
        .isInstanceOf(UnreadableReplyException.class);
    assertThatThrownBy(() -> Replies.release(reply("1")))
        .isInstanceOf(UnreadableReplyException.class);
  }

  @Test
  void anInspectionTellsOfAHolderOfAnyKind() {
    assertThat(Replies.inspect(reply("INSPECTED", AT, "me", 900L, "5", 2L)))
        .isEqualTo(new Inspection(Optional.of(new Inspection.Holder("me", 900)), 5, 2, NOW));
    assertThat(Replies.inspect(reply("INSPECTED", AT, null, -2L, "0", 0L)))
        .isEqualTo(new Inspection(Optional.empty(), 0, 0, NOW));
    List<@Nullable Object> foreign = reply("INSPECTED", AT, "", -1L, "0", 0L);
    foreign.set(2, new byte[] {(byte) 0xFF, 0, 7}); // the owner id of another implementation
    assertThat(Replies.inspect(foreign)).isInstanceOf(Inspection.class);
  }

  @Test
  void oneFailedExtensionDoesNotFailTheOthers() {
    var answers =
        Replies.extend(reply(AT, "EXTENDED", "ABSENT", "ERROR:WRONGTYPE no", "FORCED"), 4);
    assertThat(answers.get(0)).isEqualTo(new Extended(NOW));
    assertThat(answers.get(1)).isEqualTo(new NotHeld(NotHeld.Cause.ABSENT, NOW));
    assertThat(answers.get(2))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.WRONG_TYPE));
    assertThat(answers.get(3)).isEqualTo(new NotHeld(NotHeld.Cause.FORCED, NOW));
  }

  static Stream<List<@Nullable Object>> nonsense() {
    List<@Nullable Object> strings =
        new ArrayList<>(List.of("GRANTED", AT, "7", "0", 0L)); // not byte[]
    return Stream.of(
        reply(),
        reply((Object) null),
        reply("GRANTED"),
        reply("GRANTED", AT),
        reply("GRANTED", AT, "7"),
        reply("GRANTED", AT, "7", "8"),
        reply("GRANTED", AT, "7", "8", "9"),
        reply("GRANTED", AT, "7", "8", -1L),
        reply("GRANTED", AT, "7", "8", 9L, 10L),
        reply("GRANTED", AT, "7", "x", 0L),
        reply("GRANTED", AT, 7L, "0", 0L),
        reply("GRANTED", AT, "0", "0", 0L),
        reply("GRANTED", AT, "-7", "0", 0L),
        reply("GRANTED", AT, "+7", "0", 0L),
        reply("GRANTED", AT, "", "0", 0L),
        reply("GRANTED", AT, "1.7e+15", "0", 0L),
        reply("GRANTED", AT, "٧", "0", 0L),
        reply("GRANTED", AT, "9007199254740992", "0", 0L),
        reply("GRANTED", AT, "99999999999999999999", "0", 0L),
        reply("GRANTED", "nan", "7", "0", 0L),
        reply("GRANTED", null, "7", "0", 0L),
        reply("GRANTED", List.of(), "7", "0", 0L),
        reply("BUSY", AT, "1500"),
        reply("BUSY", AT, -3L),
        reply("BUSY", AT, null),
        reply("GUARDED", AT),
        reply("GUARDED", AT, "0"),
        reply("GUARDED", AT, 5L),
        reply("EXPIRED"),
        reply("INSPECTED", AT, "me", 1L, "5", -1L),
        reply("INSPECTED", AT, "me", 1L, "5", 1L << 40),
        reply("INSPECTED", AT, 5L, 1L, "5", 1L),
        reply("granted", AT, "7", "0"),
        reply(1L, 2L, 3L),
        reply(List.of("GRANTED"), AT, "7", "0", 0L),
        reply(AT, "EXTENDED", "WHAT"),
        reply("1794801418 162878 0", AT),
        reply("1794801418 1000000 0"),
        reply("1794801418 -1 0"),
        reply("9007199255 0 0"),
        reply("1794801418 162878 x"),
        reply("1794801418 162878 -1"),
        reply("1794801418 162878 2147483648"),
        reply("1794801418 162878 0 "),
        reply("1794801418 162878 0 0"),
        reply("1794801418  0"),
        reply("1794801418 162878"),
        reply("1794801418"),
        reply(AT, "EXTENDED"),
        strings);
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseIsUnreadableAndNothingElse(List<@Nullable Object> reply) {
    List<Function<List<?>, Object>> decoders =
        List.of(
            raw -> Replies.grant(raw, 7),
            Replies::raise,
            Replies::release,
            raw -> Replies.transfer(raw, 7),
            Replies::inspect,
            raw -> Replies.extend(raw, 2));
    assertThat(decoders)
        .allSatisfy(
            decoder ->
                assertThatThrownBy(() -> decoder.apply(reply))
                    .isInstanceOf(UnreadableReplyException.class)
                    .satisfies(
                        error ->
                            assertThat(Failures.of(error).kind()).isEqualTo(FailureKind.PROTOCOL)));
  }

  private static List<@Nullable Object> reply(@Nullable Object... parts) {
    List<@Nullable Object> reply = new ArrayList<>();
    for (Object part : parts) {
      reply.add(part instanceof String text ? text.getBytes(StandardCharsets.UTF_8) : part);
    }
    return reply;
  }
}
