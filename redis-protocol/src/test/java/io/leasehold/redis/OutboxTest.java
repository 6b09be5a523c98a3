package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OutboxTest {
  private final Deque<Runnable> loop = new ArrayDeque<>();
  private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
  private final List<String> failed = Collections.synchronizedList(new ArrayList<>());

  private Outbox.Errand errand(String name) {
    return errand(name, () -> {});
  }

  private Outbox.Errand errand(String name, Runnable besides) {
    return new Outbox.Errand() {
      @Override
      public void send() {
        sent.add(name);
        besides.run();
      }

      @Override
      public void failed(RuntimeException why) {
        failed.add(name + ": " + why.getMessage());
      }
    };
  }

  private void letTheLoopGoOn() {
    loop.remove().run();
  }

  @Test
  void whatComesMeanwhileIsSentByTheSameTask() {
    Outbox outbox = Outbox.of(loop::add);
    outbox.put(errand("a"));
    outbox.put(errand("b"));
    assertThat(loop).hasSize(1);
    assertThat(sent).isEmpty();
    letTheLoopGoOn();
    assertThat(sent).containsExactly("a", "b");
    assertThat(loop).isEmpty();
  }

  @Test
  void whoComesLaterCallsAgain() {
    Outbox outbox = Outbox.of(loop::add);
    outbox.put(errand("a"));
    letTheLoopGoOn();
    outbox.put(errand("b"));
    letTheLoopGoOn();
    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void aLoopThatSaidThatItWillLookIsNotCalled() {
    Outbox outbox = Outbox.of(loop::add);
    outbox.expect();
    assertThat(loop).hasSize(1);
    outbox.put(errand("a"));
    outbox.put(errand("b"));
    assertThat(loop).hasSize(1);
    letTheLoopGoOn();
    assertThat(sent).containsExactly("a", "b");
    outbox.expect();
    letTheLoopGoOn();
    assertThat(loop).as("nobody came").isEmpty();
  }

  @Test
  void whatIsPutWhileTheLoopSendsIsSent() {
    Outbox outbox = Outbox.of(loop::add);
    outbox.put(errand("a", () -> outbox.put(errand("b"))));
    while (!loop.isEmpty()) {
      letTheLoopGoOn();
    }
    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void theLoopDoesOtherThingsBetween() {
    Outbox outbox = Outbox.of(loop::add);
    int many = 2 * Outbox.MOST + 1;
    IntStream.range(0, many).forEach(i -> outbox.put(errand("" + i)));
    loop.add(() -> sent.add("other"));
    letTheLoopGoOn();
    letTheLoopGoOn();
    assertThat(sent).hasSize(Outbox.MOST + 1).endsWith("other");
    while (!loop.isEmpty()) {
      letTheLoopGoOn();
    }
    assertThat(sent).hasSize(many + 1).endsWith("" + (many - 1));
  }

  @Test
  void whoeverFailsHoldsUpNobody() {
    Outbox outbox = Outbox.of(loop::add);
    AssertionError error = new AssertionError();
    outbox.put(
        errand(
            "a",
            () -> {
              throw new IllegalStateException("not today");
            }));
    outbox.put(
        errand(
            "b",
            () -> {
              throw error;
            }));
    outbox.put(errand("c"));
    assertThatThrownBy(this::letTheLoopGoOn).isSameAs(error);
    letTheLoopGoOn();
    assertThat(sent).containsExactly("a", "b", "c");
    assertThat(failed).containsExactly("a: not today");
  }

  @Test
  void aLoopThatHasEndedRefuses() {
    Outbox outbox =
        Outbox.of(
            task -> {
              throw new RejectedExecutionException();
            });
    outbox.put(errand("a"));
    outbox.put(errand("b"));
    assertThat(failed).hasSize(2);
    assertThat(failed.get(0)).startsWith("a: ");
    assertThat(failed.get(1)).startsWith("b: ");
    outbox.expect();
    assertThat(sent).isEmpty();
  }

  @Test
  void withoutALoopCallersSend() {
    Outbox outbox = Outbox.ofCallers();
    outbox.expect();
    outbox.put(errand("a", () -> outbox.put(errand("b"))));
    assertThat(sent).containsExactly("a", "b");
  }

  @Test
  void callersSendOneAfterTheOther() throws Exception {
    Outbox outbox = Outbox.ofCallers();
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    everybody(
        outbox,
        () -> {
          most.accumulateAndGet(inside.incrementAndGet(), Math::max);
          Thread.onSpinWait();
          inside.decrementAndGet();
        });
    assertThat(most).hasValue(1);
  }

  @Test
  void nothingIsForgottenWhenManyCome() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    try {
      Outbox outbox = Outbox.of(one);
      everybody(outbox, outbox::expect);
    } finally {
      one.shutdown();
    }
  }

  /** Four threads put a thousand each, and each of these is sent. */
  private void everybody(Outbox outbox, Runnable besides) throws Exception {
    int threads = 4;
    int each = 1_000;
    CountDownLatch done = new CountDownLatch(threads * each);
    ExecutorService callers = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < threads; i++) {
        callers.execute(
            () -> {
              for (int j = 0; j < each; j++) {
                outbox.put(
                    errand(
                        "x",
                        () -> {
                          besides.run();
                          done.countDown();
                        }));
              }
            });
      }
      assertThat(done.await(30, TimeUnit.SECONDS)).as("%s left", done).isTrue();
    } finally {
      callers.shutdown();
    }
    assertThat(sent).hasSize(threads * each);
  }
}
