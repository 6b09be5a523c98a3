package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SharedConnectionTest {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Duration LONG = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(1_500);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final PlayedWire wire = new PlayedWire();
  private final Gathering gathering = new Gathering();
  private final SharedConnection connection = new SharedConnection(wire, gathering);

  /** What a thread does while it lets others come: nothing, unless a test has it wait for them. */
  private static final class Gathering implements Runnable {
    private final AtomicInteger times = new AtomicInteger();
    private volatile CountDownLatch others = new CountDownLatch(0);

    @Override
    public void run() {
      times.incrementAndGet();
      try {
        assertThat(others.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** One command on a thread of its own. */
  private CompletableFuture<String> asking(String word, Duration within) {
    int before = connection.underWay();
    CompletableFuture<String> answer =
        CompletableFuture.supplyAsync(() -> ask(word, within), threads);
    await().atMost(SOON).until(() -> connection.underWay() > before || answer.isDone());
    return answer;
  }

  private String ask(String word, Duration within) {
    SharedConnection.Call call =
        connection.send(RedisCommand.of("ECHO", word), System.nanoTime() + within.toNanos());
    return new String(
        (byte[]) Objects.requireNonNull(Objects.requireNonNull(call).await()), US_ASCII);
  }

  private static FailureKind failure(CompletableFuture<String> answer) {
    try {
      throw new AssertionError(answer.orTimeout(20, TimeUnit.SECONDS).join());
    } catch (CompletionException e) {
      return ((RedisConnectionFailure) Objects.requireNonNull(e.getCause())).kind();
    }
  }

  @Test
  void everybodyGetsItsOwnReply() {
    wire.echo();
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String name = "thread-" + i + "-";
      all.add(
          CompletableFuture.supplyAsync(
              () -> {
                for (int n = 0; n < 2_000; n++) {
                  assertThat(ask(name + n, LONG)).isEqualTo(name + n);
                }
                return true;
              },
              threads));
    }
    assertThat(all).allSatisfy(done -> assertThat(done.join()).isTrue());
    assertThat(connection.underWay()).isZero();
    assertThat(wire.isCut()).isFalse();
  }

  @Test
  void aRequestDoesNotWaitForTheRepliesToOthers() {
    CompletableFuture<String> first = asking("a", LONG);
    CompletableFuture<String> second = asking("b", LONG);
    await().atMost(SOON).until(() -> wire.requests().equals(List.of("a", "b")));
    assertThat(first).isNotDone();
    wire.replies("a", "b");
    assertThat(first.join()).isEqualTo("a");
    assertThat(second.join()).isEqualTo("b");
  }

  @Test
  void whatComesWhileSomebodyWritesGoesInOneWrite() {
    wire.hold();
    CompletableFuture<String> first = asking("a", LONG);
    await().atMost(SOON).until(wire::isWriting);
    List<CompletableFuture<String>> more = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      more.add(asking("b" + i, LONG));
    }
    wire.letGo();
    await().atMost(SOON).until(() -> wire.requests().size() == 6);
    assertThat(wire.writes()).isEqualTo(2);
    wire.replies("a", "b0", "b1", "b2", "b3", "b4");
    assertThat(first.join()).isEqualTo("a");
    for (int i = 0; i < 5; i++) {
      assertThat(more.get(i).join()).isEqualTo("b" + i);
    }
  }

  /** Four who have asked, and wait for their replies. */
  private List<CompletableFuture<String>> four() {
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      calls.add(asking("w" + i, LONG));
      int asked = i;
      await().atMost(SOON).until(() -> wire.requests().size() == asked);
    }
    assertThat(gathering.times).as("with few, nobody lets others come first").hasValue(0);
    assertThat(wire.writes()).isEqualTo(4);
    return calls;
  }

  @Test
  void whereManyWaitTheFourthWhoComesWritesForAll() {
    List<CompletableFuture<String>> calls = four();
    CountDownLatch end = new CountDownLatch(1);
    gathering.others = end;
    for (int i = 1; i <= 4; i++) {
      assertThat(wire.writes()).isEqualTo(4);
      calls.add(asking("g" + i, LONG));
      await().atMost(SOON).until(() -> gathering.times.get() == 1);
    }
    await().atMost(SOON).until(() -> wire.requests().size() == 8);
    assertThat(wire.writes())
        .as("one for all, while the first still lets others come")
        .isEqualTo(5);
    end.countDown();
    wire.replies("w1", "w2", "w3", "w4", "g1", "g2", "g3", "g4");
    assertThat(calls.stream().map(CompletableFuture::join))
        .containsExactly("w1", "w2", "w3", "w4", "g1", "g2", "g3", "g4");
    assertThat(wire.writes()).isEqualTo(5);
  }

  @Test
  void whereManyWaitWhoeverHasLetOthersComeWritesForThem() {
    List<CompletableFuture<String>> calls = four();
    CountDownLatch end = new CountDownLatch(1);
    gathering.others = end;
    calls.add(asking("g1", LONG));
    await().atMost(SOON).until(() -> gathering.times.get() == 1);
    calls.add(asking("g2", LONG));
    end.countDown();
    await().atMost(SOON).until(() -> wire.requests().size() == 6);
    assertThat(wire.writes()).isEqualTo(5);
    wire.replies("w1", "w2", "w3", "w4", "g1", "g2");
    assertThat(calls.stream().map(CompletableFuture::join))
        .containsExactly("w1", "w2", "w3", "w4", "g1", "g2");
  }

  @Test
  void whoeverLosesTheProcessorByItDoesNotLetOthersComeForAWhile() {
    List<CompletableFuture<String>> calls = four();
    CountDownLatch end = new CountDownLatch(1);
    gathering.others = end;
    calls.add(asking("g1", LONG));
    long since = System.nanoTime();
    await().atMost(SOON).until(() -> System.nanoTime() - since > 2_000_000);
    end.countDown();
    await().atMost(SOON).until(() -> wire.requests().size() == 5);
    long begun = System.nanoTime();
    calls.add(asking("g2", LONG));
    await().atMost(SOON).until(() -> wire.requests().size() == 6);
    boolean atOnce = System.nanoTime() - begun < 50_000_000;
    if (atOnce) { // otherwise this machine has slept through the while
      assertThat(gathering.times).hasValue(1);
    }
    await().atMost(SOON).pollDelay(Duration.ofMillis(150)).until(() -> true);
    calls.add(asking("g3", LONG));
    await().atMost(SOON).until(() -> wire.requests().size() == 7);
    assertThat(gathering.times.get()).as("it is tried again").isGreaterThanOrEqualTo(2);
    wire.replies("w1", "w2", "w3", "w4", "g1", "g2", "g3");
    assertThat(calls.stream().map(CompletableFuture::join)).endsWith("g1", "g2", "g3");
  }

  @Test
  void whoTimedOutLeavesTheOthersTheirReplies() {
    CompletableFuture<String> impatient = asking("a", SHORT);
    CompletableFuture<String> patient = asking("b", LONG);
    assertThat(failure(impatient)).isEqualTo(FailureKind.TIMEOUT);
    assertThat(patient).isNotDone();
    assertThat(connection.send(RedisCommand.of("ECHO", "c"), System.nanoTime() + LONG.toNanos()))
        .as("nobody else may use it")
        .isNull();
    assertThat(wire.isCut()).isFalse();
    wire.replies("a", "b");
    assertThat(patient.join()).as("the reply that came too late is nobody's").isEqualTo("b");
    await().atMost(SOON).until(wire::isCut);
  }

  @Test
  void whenNobodyWaitsAnyMoreItIsClosed() {
    CompletableFuture<String> first = asking("a", SHORT);
    CompletableFuture<String> second = asking("b", SHORT);
    assertThat(failure(first)).isEqualTo(FailureKind.TIMEOUT);
    assertThat(failure(second)).isEqualTo(FailureKind.TIMEOUT);
    await().atMost(SOON).until(wire::isCut);
    assertThat(connection.underWay()).isZero();
  }

  @Test
  void aConnectionThatBreaksFailsAllWhoWait() {
    CompletableFuture<String> first = asking("a", LONG);
    CompletableFuture<String> second = asking("b", LONG);
    wire.cut();
    assertThat(failure(first)).isEqualTo(FailureKind.CONNECTION_LOST);
    assertThat(failure(second)).isEqualTo(FailureKind.CONNECTION_LOST);
    assertThat(connection.send(RedisCommand.of("ECHO", "c"), System.nanoTime() + LONG.toNanos()))
        .isNull();
  }

  @Test
  void aReplyInTheMiddleOfWhichTheTimeEndsFailsAll() {
    CompletableFuture<String> reader = asking("a", SHORT);
    CompletableFuture<String> other = asking("b", LONG);
    wire.halfAReply();
    assertThat(failure(reader)).isEqualTo(FailureKind.TIMEOUT);
    assertThat(failure(other)).isEqualTo(FailureKind.CONNECTION_LOST);
    assertThat(wire.isCut()).isTrue();
  }

  @Test
  void aReplyThatNobodyAskedForIsNobodys() {
    CompletableFuture<String> asked = asking("a", LONG);
    wire.replies("a", "stray");
    assertThat(asked.join()).isEqualTo("a");
    assertThat(connection.send(RedisCommand.of("ECHO", "b"), System.nanoTime() + LONG.toNanos()))
        .isNull();
    await().atMost(SOON).until(wire::isCut);
  }

  @Test
  void whatCameWhileNothingWasUnderWayIsNotTakenForAReply() {
    wire.replies("stray");
    assertThat(connection.send(RedisCommand.of("ECHO", "a"), System.nanoTime() + LONG.toNanos()))
        .isNull();
    assertThat(wire.isCut()).isTrue();
    assertThat(wire.requests()).isEmpty();
  }

  @Test
  void aThreadThatIsInterruptedWaitsOnAndKeepsItsFlag() {
    CompletableFuture<String> reader = asking("a", LONG);
    AtomicBoolean flag = new AtomicBoolean();
    CompletableFuture<String> answer = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              answer.complete(ask("b", LONG));
              flag.set(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    await().atMost(SOON).until(() -> waiting.getState() == Thread.State.WAITING);
    waiting.interrupt();
    assertThat(answer).isNotDone();
    wire.replies("a", "b");
    assertThat(reader.join()).isEqualTo("a");
    assertThat(answer.join()).isEqualTo("b");
    await().atMost(SOON).untilTrue(flag);
  }

  @Test
  void aServerThatDoesNotReadHoldsNobodyUp() {
    wire.hold();
    CompletableFuture<String> writer = asking("a", SHORT);
    await().atMost(SOON).until(wire::isWriting);
    CompletableFuture<String> other = asking("b", SHORT);
    // Whichever of them notices it first gives the connection up.
    assertThat(failure(other)).isIn(FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST);
    assertThat(failure(writer)).isIn(FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST);
    assertThat(wire.isCut()).isTrue();
  }

  @Test
  void whoWritesToAServerThatDoesNotReadIsNotTheOneToReadForOthers() {
    CompletableFuture<String> reader = asking("a", LONG);
    await().atMost(SOON).until(() -> wire.requests().equals(List.of("a")));
    wire.hold();
    CompletableFuture<String> writer = asking("b", SHORT);
    await().atMost(SOON).until(wire::isWriting);
    CompletableFuture<String> other = asking("c", SHORT);
    wire.replies("a");
    assertThat(reader.join()).isEqualTo("a");
    assertThat(failure(other)).isIn(FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST);
    assertThat(failure(writer)).isIn(FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST);
  }

  @Test
  void oneThatIsRetiredIsClosedWhenItsLastReplyHasCome() {
    CompletableFuture<String> asked = asking("a", LONG);
    connection.retire();
    assertThat(connection.isFresh(LONG.toNanos())).isFalse();
    assertThat(wire.isCut()).isFalse();
    wire.replies("a");
    assertThat(asked.join()).isEqualTo("a");
    await().atMost(SOON).until(wire::isCut);
  }

  @Test
  void oneThatWasIdleForLongIsNotFresh() {
    assertThat(connection.isFresh(LONG.toNanos())).isTrue();
    assertThat(connection.isFresh(0)).isFalse();
    CompletableFuture<String> asked = asking("a", LONG);
    assertThat(connection.isFresh(0)).as("somebody uses it").isTrue();
    wire.replies("a");
    assertThat(asked.join()).isEqualTo("a");
  }

  @Test
  void anErrorOfTheServerIsAReply() {
    wire.replyWith(new RedisErrorReply("NOSCRIPT no"));
    wire.echo();
    SharedConnection.Call call =
        Objects.requireNonNull(
            connection.send(RedisCommand.of("ECHO", "a"), System.nanoTime() + LONG.toNanos()));
    assertThat(call.await()).isInstanceOf(RedisErrorReply.class);
    assertThatThrownBy(() -> failure(CompletableFuture.completedFuture("no failure")))
        .isInstanceOf(AssertionError.class);
  }
}
