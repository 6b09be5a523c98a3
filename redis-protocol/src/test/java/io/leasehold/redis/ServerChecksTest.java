package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** When servers are checked, and what holds meanwhile. */
class ServerChecksTest {
  private static final String REPLICA = Checked.PRIMARY.replace("master", "slave");

  private final HandScheduler scheduler = new HandScheduler();
  private final AskedPort port = new AskedPort();
  private boolean busy;
  private final ServerChecks checks = checks();

  private ServerChecks checks() {
    LockUrl url = LockUrl.parse("lock:redis://a");
    Noticed noticed = new Noticed("test");
    Guard guard = new Guard(url, RedisServers.of(url), noticed);
    return new ServerChecks(
        port, this::execute, List.of(), guard, noticed, scheduler, Duration.ofSeconds(1));
  }

  private void execute(Runnable task) {
    if (busy) {
      throw new RejectedExecutionException();
    }
    task.run();
  }

  @Test
  void requestsShareTheFirstCheck() {
    CompletionStage<Boolean> first = checks.passed();
    CompletionStage<Boolean> second = checks.passed();
    assertThat(port.asked).hasSize(1);
    assertThat(checks.arePassed()).isFalse();
    port.answer(Checked.PRIMARY);
    assertThat(first).isCompletedWithValue(true);
    assertThat(second).isCompletedWithValue(true);
    assertThat(checks.arePassed()).isTrue();
    assertThat(checks.passed()).isCompletedWithValue(true);
    assertThat(port.asked).hasSize(1);
  }

  @Test
  void aFirstCheckThatFailsIsMadeAgainByTheNextRequest() {
    CompletionStage<Boolean> first = checks.passed();
    port.fail();
    assertThat(kind(first)).isEqualTo(FailureKind.UNREACHABLE);
    CompletionStage<Boolean> second = checks.passed();
    port.answer(REPLICA);
    assertThat(kind(second)).isEqualTo(FailureKind.READ_ONLY);
    CompletionStage<Boolean> third = checks.passed();
    port.answer(Checked.PRIMARY);
    assertThat(third).isCompletedWithValue(true);
    assertThat(scheduler.delays).as("nothing in the background").isEmpty();
  }

  @Test
  void aDoubtDuringTheFirstCheckHasTheServersCheckedAgain() {
    CompletionStage<Boolean> first = checks.passed();
    checks.doubt();
    port.answer(Checked.PRIMARY); // what was there before
    assertThat(first).isCompletedWithValue(true);
    scheduler.runNext();
    port.answer(REPLICA);
    assertThat(checks.arePassed()).isFalse();
  }

  @Test
  void aDoubtDuringALaterCheckHasTheServersCheckedOnceMoreBehindIt() {
    pass();
    checks.doubt();
    checks.doubt();
    assertThat(scheduler.waiting()).isOne();
    scheduler.runNext();
    checks.doubt();
    assertThat(scheduler.waiting()).as("no second check beside the first").isZero();
    port.answer(Checked.PRIMARY);
    scheduler.runNext();
    port.answer(REPLICA);
    assertThat(checks.arePassed()).isFalse();
    assertThat(port.asked).hasSize(3);
  }

  @Test
  void whatWasRefusedStaysRefusedUntilItPasses() {
    pass();
    checks.heed(new RedisErrorReply("READONLY You can't write against a read only replica."));
    scheduler.runNext();
    port.answer(REPLICA);
    assertThat(kind(checks.passed())).isEqualTo(FailureKind.READ_ONLY);
    scheduler.runNext();
    port.fail();
    assertThat(kind(checks.passed())).as("not reached").isEqualTo(FailureKind.READ_ONLY);
    scheduler.runNext();
    port.answer(Checked.PRIMARY);
    assertThat(checks.passed()).isCompletedWithValue(true);
    assertThat(scheduler.waiting()).isZero();
    assertThat(scheduler.delays)
        .containsExactly(Duration.ofMillis(100), Duration.ofSeconds(1), Duration.ofSeconds(1));
  }

  @Test
  void aServerThatIsNotReachedInALaterCheckIsCheckedUntilItIs() {
    pass();
    checks.doubt();
    scheduler.runNext();
    port.fail();
    assertThat(checks.arePassed()).isTrue();
    busy = true;
    scheduler.runNext();
    assertThat(scheduler.waiting()).as("too busy to check").isOne();
    busy = false;
    scheduler.runNext();
    port.answer(REPLICA);
    assertThat(checks.arePassed()).isFalse();
  }

  @Test
  void aPortThatThrowsFailsTheCheckAndNotTheNextOne() {
    port.broken = true;
    assertThat(kind(checks.passed())).isEqualTo(FailureKind.CONNECTION_LOST);
    port.broken = false;
    pass();
  }

  @Test
  void anErrorThatSaysNothingAboutTheServerIsNoDoubt() {
    pass();
    checks.heed(new RedisErrorReply("WRONGTYPE Operation against a key"));
    assertThat(scheduler.waiting()).isZero();
  }

  @Test
  void whatIsClosedChecksNothingAndLeavesNoTimer() {
    pass();
    checks.doubt();
    checks.close();
    assertThat(scheduler.waiting()).isZero();
    checks.doubt();
    assertThat(scheduler.waiting()).isZero();
  }

  private void pass() {
    CompletionStage<Boolean> passed = checks.passed();
    port.answer(Checked.PRIMARY);
    assertThat(passed).isCompletedWithValue(true);
  }

  private static FailureKind kind(CompletionStage<Boolean> failed) {
    return Failures.of(failed.toCompletableFuture().handle((done, error) -> error).join()).kind();
  }

  /** A port whose one server answers when a test says so. */
  private static final class AskedPort extends UnusedPort {
    private final List<CompletableFuture<Object>> asked = new ArrayList<>();
    private boolean broken;

    private void answer(String info) {
      asked.get(asked.size() - 1).complete(info.getBytes(StandardCharsets.UTF_8));
    }

    private void fail() {
      asked
          .get(asked.size() - 1)
          .completeExceptionally(RedisConnectionFailure.unreachable("down", null));
    }

    @Override
    public CompletionStage<List<Primary>> primaries() {
      if (broken) {
        throw new IllegalStateException("broken");
      }
      return CompletableFuture.completedStage(
          List.of(
              new Primary() {
                @Override
                public String address() {
                  return "one:1";
                }

                @Override
                public CompletionStage<Object> send(RedisCommand command) {
                  CompletableFuture<Object> reply = new CompletableFuture<>();
                  asked.add(reply);
                  return reply;
                }
              }));
    }
  }
}
