package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockTimeoutException;
import io.leasehold.LossReason;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BlockingMethodsTest {
  private final Neighbour neighbour = new Neighbour();
  private final ApplicationContext context = neighbour.application();
  private final Orders orders = context.getBean(Orders.class);

  @AfterEach
  void close() {
    context.close();
    neighbour.close();
  }

  @Test
  void theLockIsHeldWhileTheMethodRunsAndFreeAfterwards() {
    String result =
        orders.pay("7", () -> assertThat(neighbour.isRefused("order:7")).as("held").isTrue());
    assertThat(result).isEqualTo("paid 7");
    assertThat(neighbour.isRefused("order:7")).isFalse();
  }

  @Test
  void otherNamesAreFreeMeanwhile() {
    orders.pay("7", () -> assertThat(neighbour.isRefused("order:8")).isFalse());
  }

  @Test
  void aMethodThatThrowsFreesTheLockAndItsCheckedExceptionReachesTheCaller() {
    assertThatThrownBy(() -> orders.fail("7")).isInstanceOf(IOException.class).hasMessage("no");
    assertThat(neighbour.isRefused("order:7")).isFalse();
  }

  @Test
  void aBusyLockFailsTheCallWithTheTimeoutItself() {
    try (Lease held = neighbour.take("order:7")) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(() -> orders.now("7"))
          .isInstanceOfSatisfying(
              LockTimeoutException.class, e -> assertThat(e.lockName()).isEqualTo("order:7"));
    }
    assertThat(orders.now("7")).isEqualTo("now 7");
  }

  @Test
  void aBusyLockSkipsTheCallWhereThatIsAsked() {
    try (Lease held = neighbour.take("skip")) {
      assertThat(held.isHeld()).isTrue();
      AtomicReference<String> called = new AtomicReference<>();
      orders.skipVoid(called);
      assertThat(called).hasNullValue();
      assertThat(orders.skipText()).isNull();
      assertThat(orders.skipOptional()).isEmpty();
      assertThat(orders.skipOptionalInt()).isEmpty();
    }
    assertThat(orders.skipText()).isEqualTo("not skipped");
    assertThat(orders.skipOptional()).contains("not skipped");
  }

  @Test
  void aTimeoutOfTheMethodsOwnIsNotTakenForABusyLock() {
    try (Lease held = neighbour.take("order:1")) {
      assertThat(held.isHeld()).isTrue();
      assertThatThrownBy(orders::skipOnlyMine).isInstanceOf(LockTimeoutException.class);
    }
  }

  @Test
  void aPrimitiveCannotBeSkipped() {
    assertThatThrownBy(orders::skipPrimitive)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("@Locked")
        .hasMessageContaining("skipPrimitive")
        .hasMessageContaining("primitive");
  }

  @Test
  void aParameterGetsTheLeaseAndTheCurrentLeaseIsTheSame() {
    Lease first = orders.lease("7", null);
    Lease second = orders.lease("7", null);
    assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
    assertThat(first.lockName()).isEqualTo("order:7");
    assertThat(first.isHeld()).isFalse();
  }

  @Test
  void outsideThereIsNoCurrentLease() {
    CurrentLease current = context.getBean(CurrentLease.class);
    assertThat(current.get()).isEmpty();
    assertThatThrownBy(current::require)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no current lease");
  }

  @Test
  void ofNestedCallsTheInnermostLeaseIsCurrent() {
    Orders.Names names = orders.outer();
    assertThat(names).isEqualTo(new Orders.Names("outer", "inner", "outer"));
  }

  @Test
  void anInterruptedWaitKeepsTheFlagAndCallsNothing() throws InterruptedException {
    try (Lease held = neighbour.take("order:7")) {
      assertThat(held.isHeld()).isTrue();
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      AtomicReference<Boolean> flag = new AtomicReference<>();
      Thread waiting =
          new Thread(
              () -> {
                try {
                  orders.pay("7", () -> {});
                } catch (RuntimeException e) {
                  thrown.set(e);
                  flag.set(Thread.currentThread().isInterrupted());
                }
              });
      waiting.start();
      waiting.interrupt();
      waiting.join(BOUND.toMillis());
      assertThat(thrown.get())
          .isInstanceOf(LockInterruptedException.class)
          .hasMessageContaining("order:7");
      assertThat(flag).hasValue(true);
    }
  }

  @Test
  void aLeaseThatIsLostMeanwhileFailsTheCallUnlessThatIsIgnored() {
    try (ApplicationContext hasty = neighbour.application("leasehold.options.max-hold", "50ms")) {
      Orders lossy = hasty.getBean(Orders.class);
      assertThatThrownBy(() -> lossy.untilLost(null))
          .isInstanceOfSatisfying(
              LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LossReason.MAX_HOLD));
      assertThat(lossy.untilLostAnyway(null)).isEqualTo("done");
    }
  }

  @Test
  void aLockThatWasTakenAwayUnnoticedFailsTheCallWhenItIsGivenBack() {
    assertThatThrownBy(
            () -> orders.inside(() -> neighbour.client().forceRelease("inside", "a test")))
        .isInstanceOfSatisfying(
            LeaseLostException.class, e -> assertThat(e.reason()).isEqualTo(LossReason.FORCED));
  }

  @Test
  void aMethodWithBothAnnotationsHoldsBothLocks() {
    orders.both(
        () -> {
          assertThat(neighbour.isRefused("both:job")).isTrue();
          assertThat(neighbour.isRefused("both:lock")).isTrue();
        });
    assertThat(neighbour.isRefused("both:job")).isFalse();
    assertThat(neighbour.isRefused("both:lock")).isFalse();
  }

  @Test
  void aMethodMayReleaseItsLeaseEarly() {
    assertThat(orders.early(null)).isEqualTo("early");
  }

  @Test
  void aLeaseTimeOfItsOwnIsUsed() {
    assertThat(orders.shortLease(null)).isLessThanOrEqualTo(2_000);
  }

  @Singleton
  static class Orders {
    private final CurrentLease current;
    private final LockClient locks;
    private final Inner inner;

    Orders(CurrentLease current, LockClient locks, Inner inner) {
      this.current = current;
      this.locks = locks;
      this.inner = inner;
    }

    @Locked("order:{id}")
    String pay(String id, Runnable inside) {
      inside.run();
      return "paid " + id;
    }

    @Locked("order:{id}")
    void fail(String id) throws IOException {
      throw new IOException("no");
    }

    @Locked(value = "order:{id}", waitTime = "0s")
    String now(String id) {
      return "now " + id;
    }

    @Locked(value = "skip", waitTime = "10ms", onBusy = OnBusy.SKIP)
    void skipVoid(AtomicReference<String> called) {
      called.set("called");
    }

    @Locked(value = "skip", waitTime = "0s", onBusy = OnBusy.SKIP)
    @Nullable String skipText() {
      return "not skipped";
    }

    @Locked(value = "skip", waitTime = "PT0S", onBusy = OnBusy.SKIP)
    Optional<String> skipOptional() {
      return Optional.of("not skipped");
    }

    @Locked(value = "skip", waitTime = "0ms", onBusy = OnBusy.SKIP)
    OptionalInt skipOptionalInt() {
      return OptionalInt.of(1);
    }

    @Locked(value = "skip", onBusy = OnBusy.SKIP)
    int skipPrimitive() {
      return 1;
    }

    @Locked(value = "mine", onBusy = OnBusy.SKIP)
    @Nullable String skipOnlyMine() {
      return now("1");
    }

    @Locked("order:{id}")
    Lease lease(String id, @Nullable Lease lease) {
      assertThat(current.require()).isSameAs(lease);
      return requireNonNull(lease);
    }

    @Locked("outer")
    Names outer() {
      return new Names(current.require().lockName(), inner.name(), current.require().lockName());
    }

    @Locked("lost")
    String untilLost(@Nullable Lease lease) {
      await().atMost(BOUND).until(() -> !requireNonNull(lease).isHeld());
      return "done";
    }

    @Locked(value = "lost", onLost = OnLost.IGNORE)
    String untilLostAnyway(@Nullable Lease lease) {
      return untilEnd(requireNonNull(lease));
    }

    private static String untilEnd(Lease lease) {
      await().atMost(BOUND).until(() -> !lease.isHeld());
      return "done";
    }

    @Locked("inside")
    void inside(Runnable work) {
      work.run();
    }

    @Locked("both:lock")
    @RunOnce(name = "both:job")
    void both(Runnable inside) {
      inside.run();
    }

    @Locked("early")
    String early(@Nullable Lease lease) {
      requireNonNull(lease).release();
      return "early";
    }

    @Locked(value = "short", leaseTime = "2s")
    long shortLease(@Nullable Lease lease) {
      return locks
          .inspect(requireNonNull(lease).lockName())
          .holder()
          .orElseThrow()
          .remaining()
          .orElseThrow()
          .toMillis();
    }

    record Names(String before, String inside, String after) {}
  }

  @Singleton
  static class Inner {
    private final CurrentLease current;

    Inner(CurrentLease current) {
      this.current = current;
    }

    @Locked("inner")
    String name() {
      return current.require().lockName();
    }
  }
}
