package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SlotMapTest {
  private static final Endpoint ASKED = Endpoint.data("10.0.0.1", 7000);

  @Test
  void aSlotIsServedByThePrimaryOfItsRange() {
    SlotMap map =
        SlotMap.read(
            ASKED,
            List.of(
                range(0, 99, node("10.0.0.1", 7000), node("10.0.0.9", 7009)),
                range(100, 16_383, node("10.0.0.2", 7001))));
    assertThat(map.primary(0)).hasValue(Endpoint.data("10.0.0.1", 7000));
    assertThat(map.primary(99)).hasValue(Endpoint.data("10.0.0.1", 7000));
    assertThat(map.primary(100)).hasValue(Endpoint.data("10.0.0.2", 7001));
    assertThat(map.primary(16_383)).hasValue(Endpoint.data("10.0.0.2", 7001));
    assertThat(map.primaries())
        .containsExactlyInAnyOrder(
            Endpoint.data("10.0.0.1", 7000), Endpoint.data("10.0.0.2", 7001));
  }

  @Test
  void aSlotThatNobodyServesIsEmpty() {
    SlotMap map = SlotMap.read(ASKED, List.of(range(0, 9, node("10.0.0.2", 7001))));
    assertThat(map.primary(10)).isEmpty();
  }

  @Test
  void aNodeWithoutAHostMeansTheOneThatWasAsked() {
    SlotMap map =
        SlotMap.read(ASKED, List.of(range(0, 0, node("", 7001)), range(1, 1, node(null, 7002))));
    assertThat(map.primary(0)).hasValue(Endpoint.data("10.0.0.1", 7001));
    assertThat(map.primary(1)).hasValue(Endpoint.data("10.0.0.1", 7002));
  }

  @Test
  void oneSlotCanBeLearned() {
    SlotMap map = SlotMap.read(ASKED, List.of(range(0, 16_383, node("10.0.0.2", 7001))));
    SlotMap learned = map.with(7, ASKED);
    assertThat(learned.primary(7)).hasValue(ASKED);
    assertThat(learned.primary(8)).hasValue(Endpoint.data("10.0.0.2", 7001));
    assertThat(map.primary(7)).hasValue(Endpoint.data("10.0.0.2", 7001));
    assertThat(learned.same(map)).isFalse();
    assertThat(learned.with(7, Endpoint.data("10.0.0.2", 7001)).same(map)).isTrue();
  }

  @Test
  void nonsenseIsUnreadable() {
    List<@Nullable Object> wrong = new ArrayList<>();
    wrong.add(null);
    wrong.add(7L);
    wrong.add(List.of(7L));
    wrong.add(List.of(range(5, 4, node("h", 1))));
    wrong.add(List.of(range(-1, 4, node("h", 1))));
    wrong.add(List.of(range(0, 16_384, node("h", 1))));
    wrong.add(List.of(range(0, 1)));
    wrong.add(List.of(range(0, 1, List.of("h".getBytes(StandardCharsets.US_ASCII)))));
    assertThat(wrong)
        .allSatisfy(
            reply ->
                assertThatThrownBy(() -> SlotMap.read(ASKED, reply))
                    .isInstanceOf(UnreadableReplyException.class));
  }

  @Test
  void anErrorIsThatError() {
    RedisErrorReply error = new RedisErrorReply("ERR This instance has cluster support disabled");
    assertThatThrownBy(() -> SlotMap.read(ASKED, error)).isSameAs(error);
  }

  @Test
  void redirectionsAreRead() {
    assertThat(Redirection.of(new RedisErrorReply("MOVED 3999 127.0.0.1:6381"), ASKED))
        .hasValue(new Redirection(true, 3999, Endpoint.data("127.0.0.1", 6381)));
    assertThat(Redirection.of(new RedisErrorReply("ASK 1 ::1:6381"), ASKED))
        .hasValue(new Redirection(false, 1, Endpoint.data("::1", 6381)));
    assertThat(Redirection.of(new RedisErrorReply("MOVED 3999 :6381"), ASKED))
        .hasValue(new Redirection(true, 3999, Endpoint.data("10.0.0.1", 6381)));
  }

  @Test
  void otherRepliesAndNonsenseAreNoRedirections() {
    for (String text :
        List.of(
            "ERR no",
            "MOVED",
            "MOVED 3999",
            "MOVED x 127.0.0.1:1",
            "MOVED 16384 127.0.0.1:1",
            "ASK 1 nowhere",
            "ASK 1 host:port",
            "TRYAGAIN Multiple keys request during rehashing of slot")) {
      assertThat(Redirection.of(new RedisErrorReply(text), ASKED)).as(text).isEmpty();
    }
    assertThat(Redirection.of("MOVED 3999 127.0.0.1:6381".getBytes(StandardCharsets.UTF_8), ASKED))
        .isEmpty();
    assertThat(Redirection.of(null, ASKED)).isEmpty();
  }

  private static List<Object> range(long from, long to, Object... nodes) {
    List<Object> range = new ArrayList<>(List.of(from, to));
    range.addAll(List.of(nodes));
    return range;
  }

  private static List<@Nullable Object> node(@Nullable String host, long port) {
    return Arrays.asList(
        host == null ? null : host.getBytes(StandardCharsets.US_ASCII), port, "id");
  }
}
