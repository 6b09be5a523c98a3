package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OrderedLocksTest {
  private static final long PROPOSAL = 100;
  private static final Busy BUSY = new Busy(1_000, 7);
  private static final Failed LOST = new Failed(FailureKind.CONNECTION_LOST, "cut");
  private static final Failed UNREACHABLE = new Failed(FailureKind.UNREACHABLE, "gone");

  private final ScriptedNode node = new ScriptedNode(false);
  private final OrderedLocks locks = new OrderedLocks(node, List.of("c", "a", "b"));

  private CompletableFuture<GrantReply> grant() {
    return grant(locks);
  }

  private static CompletableFuture<GrantReply> grant(LockNode view) {
    GrantRequest request =
        new GrantRequest("", "me", 10_000, PROPOSAL, GrantRequest.NO_DEADLINE, Queueing.WAKE);
    return view.grant(request).toCompletableFuture();
  }

  private static <R> R now(CompletionStage<R> stage) {
    return stage.toCompletableFuture().join();
  }

  @Test
  void asksInTheOrderOfTheNames() {
    assertThat(grant()).isCompletedWithValue(new Granted(PROPOSAL, 1));
    assertThat(node.asked()).containsExactly("grant a", "grant b", "grant c");
  }

  @Test
  void aRefusedLockIsAnsweredWhenThoseBeforeItAreBack() {
    CompletableFuture<ReleaseReply> release = new CompletableFuture<>();
    node.answers("grant b", BUSY).answersLater("release a", release);
    CompletableFuture<GrantReply> reply = grant();
    assertThat(node.asked()).containsExactly("grant a", "grant b", "release a");
    assertThat(reply).isNotDone();
    release.complete(new Released(1));
    assertThat(reply).isCompletedWithValue(BUSY);
  }

  @Test
  void anAmbiguousFailureReleasesThatLockToo() {
    node.answers("grant b", LOST);
    assertThat(grant()).isCompletedWithValue(LOST);
    assertThat(node.asked()).containsExactly("grant a", "grant b", "release a", "release b");
  }

  @Test
  void aFailureThatIsNotAmbiguousReleasesOnlyWhatWasGranted() {
    node.answers("grant c", UNREACHABLE);
    assertThat(grant()).isCompletedWithValue(UNREACHABLE);
    assertThat(node.asked()).endsWith("grant c", "release a", "release b");
  }

  @Test
  void guardedAndExpiredAreGivenBackAsWell() {
    Guarded guarded = new Guarded(5, 1);
    Expired expired = new Expired(1);
    node.answers("grant b", guarded).answers("grant b", expired);
    assertThat(grant()).isCompletedWithValue(guarded);
    assertThat(grant()).isCompletedWithValue(expired);
    assertThat(Collections.frequency(node.asked(), "release a")).isEqualTo(2);
  }

  @Test
  void aLockThatCannotBeGivenBackMakesTheAnswerAmbiguous() {
    node.answers("grant c", BUSY).answers("release a", UNREACHABLE);
    assertThat(grant().join())
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.kind().isAmbiguous()).isTrue();
              assertThat(failed.message()).contains("given back", "gone");
            });
    assertThat(node.asked()).as("the others are given back").endsWith("release a", "release b");
  }

  @Test
  void aLockThatWasLostMeanwhileChangesNothing() {
    node.answers("grant b", BUSY).answers("release a", new NotHeld(NotHeld.Cause.ABSENT, 1));
    assertThat(grant()).isCompletedWithValue(BUSY);
  }

  @Test
  void aClosedNodeIsToldAsClosed() {
    Failed closed = new Failed(FailureKind.CLOSED, "closed");
    node.answers("grant b", closed).answers("release a", closed);
    assertThat(grant()).isCompletedWithValue(closed);
  }

  @Test
  void aNodeThatBlocksAndDoesNotAnswerIsNotAskedOnceForEachLock() {
    ScriptedNode slow = new ScriptedNode(true);
    Failed silent = new Failed(FailureKind.TIMEOUT, "silent");
    slow.answers("grant c", silent).answers("release a", silent);
    assertThat(grant(new OrderedLocks(slow, List.of("a", "b", "c")))).isCompletedWithValue(silent);
    assertThat(slow.asked()).containsExactly("grant a", "grant b", "grant c", "release a");
  }

  @Test
  void tokensAreMadeOneByRaisingTheLowerOnes() {
    node.answers("grant b", new Granted(120, 3, 2, List.of(), 4));
    assertThat(grant()).isCompletedWithValue(new Granted(120, 1, 2, List.of(), 4));
    assertThat(node.asked())
        .containsExactly("grant a", "grant b", "grant c", "raise a 120", "raise c 120");
  }

  @Test
  void withoutTokensNothingIsRaised() {
    for (String name : List.of("a", "b", "c")) {
      node.answers("grant " + name, new Granted(Granted.NO_TOKEN, 1));
    }
    assertThat(grant()).isCompletedWithValue(new Granted(Granted.NO_TOKEN, 1));
    assertThat(node.asked()).noneMatch(request -> request.startsWith("raise"));
  }

  @Test
  void aRaiseThatIsRefusedGivesAllBack() {
    node.answers("grant b", new Granted(120, 1)).answers("raise a 120", new Refused(130, 1));
    assertThat(grant().join()).isInstanceOf(Failed.class);
    assertThat(node.asked())
        .containsExactly(
            "grant a", "grant b", "grant c", "raise a 120", "release a", "release b", "release c");
  }

  @Test
  void aRaiseThatIsGuardedOrFailsGivesAllBackAndIsTheAnswer() {
    Guarded guarded = new Guarded(5, 1);
    node.answers("grant c", new Granted(120, 1)).answers("raise b 120", guarded);
    assertThat(grant()).isCompletedWithValue(guarded);
    node.answers("grant c", new Granted(120, 1)).answers("raise a 120", LOST);
    assertThat(grant()).isCompletedWithValue(LOST);
    assertThat(Collections.frequency(node.asked(), "release c")).isEqualTo(2);
  }

  @Test
  void aReleaseThatFailedAnywhereMustBeRepeated() {
    ReleaseRequest release = new ReleaseRequest("", "me");
    NotHeld lost = new NotHeld(NotHeld.Cause.TAKEN, 1);
    node.answers("release a", lost).answers("release b", LOST);
    assertThat(now(locks.release(release))).isEqualTo(LOST);
    node.answers("release b", lost);
    assertThat(now(locks.release(release))).isEqualTo(lost);
    assertThat(Collections.frequency(node.asked(), "release c")).isEqualTo(2);
  }

  @Test
  void aReleaseTellsWhetherAnybodyWasWoken() {
    node.answers("release a", new Released(1, true));
    assertThat(now(locks.release(new ReleaseRequest("", "me")))).isEqualTo(new Released(1, true));
  }

  @Test
  void anExtensionOfWhichAPartIsLostIsLost() {
    NotHeld lost = new NotHeld(NotHeld.Cause.ABSENT, 1);
    node.answers("extend a of first", LOST).answers("extend c of first", lost);
    node.answers("extend b of second", LOST);
    List<ExtendRequest> requests =
        List.of(
            new ExtendRequest("", "first", 10),
            new ExtendRequest("", "second", 10),
            new ExtendRequest("", "third", 10));
    assertThat(now(locks.extend(requests))).containsExactly(lost, LOST, new Extended(1));
    assertThat(node.asked()).hasSize(9);
  }

  @Test
  void aWatchOfWhichOneFailsIsNone() {
    node.answers("watch b", UNREACHABLE);
    assertThat(now(locks.watch("", () -> {}))).isEqualTo(UNREACHABLE);
    assertThat(node.watched()).containsExactly("b"); // the script's own; a and c were closed
  }

  @Test
  void aReleaseOfAnyOfThemWakes() {
    AtomicInteger wakes = new AtomicInteger();
    WatchReply reply = now(locks.watch("", wakes::incrementAndGet));
    node.wake("a");
    node.wake("c");
    assertThat(wakes).hasValue(2);
    ((Watching) reply).watch().close();
    assertThat(node.watched()).isEmpty();
  }

  @Test
  void aWakeUpForALockThatWasNotReachedIsPassedOn() {
    now(locks.watch("", () -> {}));
    node.wake("c");
    node.answers("grant b", BUSY);
    node.asked().clear();
    assertThat(grant()).isCompletedWithValue(BUSY);
    assertThat(node.asked())
        .containsExactly("grant a", "grant b", "release a", "grant c", "release c");
    node.answers("grant b", BUSY);
    node.asked().clear();
    assertThat(grant()).isCompletedWithValue(BUSY);
    assertThat(node.asked()).as("once").containsExactly("grant a", "grant b", "release a");
  }

  @Test
  void aWakeUpIsPassedOnAlsoByAnotherViewOfTheSameNode() {
    SeveralLocks several = OrderedLocks.of(node);
    WatchReply reply = now(several.all(List.of("a", "c")).watch("", () -> {}));
    node.wake("c");
    node.answers("grant a", BUSY);
    node.asked().clear();
    assertThat(grant(several.all(List.of("c", "a")))).isCompletedWithValue(BUSY);
    assertThat(node.asked()).containsExactly("grant a", "grant c", "release c");

    node.wake("c");
    ((Watching) reply).watch().close();
    node.answers("grant a", BUSY);
    node.asked().clear();
    assertThat(grant(several.all(List.of("c", "a")))).isCompletedWithValue(BUSY);
    assertThat(node.asked()).as("nobody waits any more").containsExactly("grant a");
  }

  @Test
  void aWakeUpForALockThatAnotherHasTakenNeedsNotBePassedOn() {
    now(locks.watch("", () -> {}));
    node.wake("c");
    node.answers("grant a", BUSY).answers("grant c", BUSY);
    node.asked().clear();
    assertThat(grant()).isCompletedWithValue(BUSY);
    assertThat(node.asked()).containsExactly("grant a", "grant c");
  }

  @Test
  void aWakeUpThatWasOfUseIsNotPassedOn() {
    now(locks.watch("", () -> {}));
    node.wake("c");
    assertThat(grant()).isCompleted();
    node.answers("grant a", BUSY);
    node.asked().clear();
    assertThat(grant()).isCompletedWithValue(BUSY);
    assertThat(node.asked()).containsExactly("grant a");
  }

  @Test
  void whatIsPassedOnMustNotStay() {
    now(locks.watch("", () -> {}));
    node.wake("c");
    node.answers("grant a", BUSY).answers("grant c", LOST).answers("release c", UNREACHABLE);
    assertThat(grant().join())
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.kind().isAmbiguous()).isTrue());
  }

  @Test
  void declaresOnlyWhatItServes() {
    assertThat(locks.capabilities())
        .containsExactlyInAnyOrder(Capability.FENCING, Capability.WAKE_UPS);
    assertThat(locks.offer(SeveralLocks.class)).isEmpty();
  }

  @Test
  void wantsOneToSixtyFourLocks() {
    List<String> many = IntStream.range(0, 65).mapToObj(Integer::toString).toList();
    assertThatThrownBy(() -> new OrderedLocks(node, many))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new OrderedLocks(node, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(grant(new OrderedLocks(node, many.subList(0, 64)))).isCompleted();
  }
}
