package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class GatheringTest {
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final AtomicInteger sent = new AtomicInteger();
  private final Gathering gathering = new Gathering(later::add, sent::incrementAndGet);

  private void ask(long replies) {
    gathering.wrote(1);
    gathering.flush(replies);
  }

  private void letTheLoopGoOn() {
    for (int tasks = later.size(); tasks > 0; tasks--) {
      later.remove().run();
    }
  }

  @Test
  void whoeverIsAloneIsSentAtOnce() {
    for (int replies = 0; replies < 5; replies++) {
      ask(replies);
      assertThat(sent).hasValue(replies + 1);
    }
    assertThat(later).isEmpty();
  }

  @Test
  void whileOthersWaitRequestsAreSentTogetherAndSoon() {
    ask(0);
    ask(0);
    ask(0);
    assertThat(sent).hasValue(1);
    letTheLoopGoOn();
    assertThat(sent).hasValue(2);
    ask(1);
    assertThat(sent).as("two of three are still awaited").hasValue(2);
    letTheLoopGoOn();
    assertThat(sent).hasValue(3);
  }

  @Test
  void theFourthIsNotPutOff() {
    ask(0);
    ask(0);
    ask(0);
    ask(0);
    assertThat(sent).hasValue(1);
    ask(0);
    assertThat(sent).hasValue(2);
    letTheLoopGoOn();
    ask(5);
    assertThat(later).as("nobody waits any more").isEmpty();
  }

  @Test
  void moreRepliesThanRequestsKeepNobodyWaiting() {
    ask(0); // five requests in one message
    ask(5);
    assertThat(sent).hasValue(2);
    ask(5);
    assertThat(sent).as("the one before is awaited").hasValue(2);
    letTheLoopGoOn();
    assertThat(sent).hasValue(3);
  }
}
