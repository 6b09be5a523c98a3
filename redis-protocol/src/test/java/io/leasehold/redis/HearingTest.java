package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.redis.RedisListening.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HearingTest {
  private static final Object MESSAGE = said("message", "c", "a");
  private static final Object CONFIRMED = said("subscribe", "c", 1L);
  private static final Object PONG = said("pong", "");

  private final List<String> messages = new ArrayList<>();
  private final List<RedisConnectionFailure> nonsense = new ArrayList<>();
  private final RedisListening.Events events =
      new RedisListening.Events() {
        @Override
        public void message(byte[] payload) {
          messages.add(new String(payload, US_ASCII));
        }

        @Override
        public void broken() {
          throw new AssertionError("that is the connection's to tell");
        }
      };
  private final Hearing hearing = new Hearing(events, nonsense::add);

  private static List<@Nullable Object> said(@Nullable Object... words) {
    List<@Nullable Object> said = new ArrayList<>();
    for (Object word : words) {
      said.add(word instanceof String text ? text.getBytes(US_ASCII) : word);
    }
    return said;
  }

  private void assertNonsense(@Nullable Object reply) {
    hearing.heard(reply);
    assertThat(nonsense).hasSize(1);
    assertThat(nonsense.remove(0)).hasMessageContaining("nobody has asked");
  }

  private CompletableFuture<Boolean> asking(Word answer) {
    CompletableFuture<Boolean> answered = new CompletableFuture<>();
    hearing.asking(answer, answered);
    return answered;
  }

  @Test
  void messagesAreToldAndAnswersGoToWhoAskedInTheOrderOfTheQuestions() {
    CompletableFuture<Boolean> first = asking(Word.CONFIRMED);
    CompletableFuture<Boolean> second = asking(Word.PONG);
    hearing.heard(MESSAGE);
    assertThat(first).isNotDone();
    hearing.heard(CONFIRMED);
    assertThat(first).isCompletedWithValue(true);
    hearing.heard(said("smessage", "c", "b"));
    hearing.heard(said("sunsubscribe", "c", 0L));
    assertThat(second).isNotDone();
    hearing.heard(PONG);
    assertThat(second).isCompletedWithValue(true);
    assertThat(messages).containsExactly("a", "b");
    assertThat(nonsense).isEmpty();
  }

  @Test
  void anErrorIsAnAnswer() {
    CompletableFuture<Boolean> asked = asking(Word.CONFIRMED);
    RedisErrorReply error = new RedisErrorReply("NOPERM no");
    hearing.heard(error);
    assertThat(asked).isCompletedExceptionally();
    assertThatThrownBy(asked::join).hasCause(error);
    assertNonsense(error);
  }

  @Test
  void anAnswerToNobodyIsNonsense() {
    assertNonsense(CONFIRMED);
    assertNonsense(PONG);
    assertNonsense("PONG".getBytes(US_ASCII));
  }

  @Test
  void anAnswerToAnotherQuestionIsNonsense() {
    CompletableFuture<Boolean> asked = asking(Word.CONFIRMED);
    assertNonsense(PONG);
    assertThat(asked).isNotDone();
    hearing.ended(RedisConnectionFailure.closed());
    assertThat(asked).isCompletedExceptionally();
  }

  @Test
  void nonsenseIsThrownWhereNobodyTakesIt() {
    assertThatThrownBy(() -> new Hearing(events).heard(PONG))
        .isInstanceOf(RedisConnectionFailure.class);
  }

  @Test
  void thePongOfRespThreeIsOne() {
    CompletableFuture<Boolean> asked = asking(Word.PONG);
    hearing.heard("PONG".getBytes(US_ASCII));
    assertThat(asked).isCompletedWithValue(true);
  }

  @Test
  void everythingElseIsNonsenseAlsoForWhoAsked() {
    CompletableFuture<Boolean> asked = asking(Word.CONFIRMED);
    List<@Nullable Object> said = new ArrayList<>();
    said.add(null);
    said.add(7L);
    said.add("OK".getBytes(US_ASCII));
    said.add(said());
    said.add(said("subscribe"));
    said.add(said("subscribe", "c", 1L, 1L));
    said.add(said(1L, 2L, 3L));
    said.add(said("message", "c", 1L));
    said.add(said("message", "c", null));
    said.add(said("massage", "c", "a"));
    said.forEach(this::assertNonsense);
    assertThat(asked).isNotDone();
    assertThat(messages).isEmpty();
  }
}
