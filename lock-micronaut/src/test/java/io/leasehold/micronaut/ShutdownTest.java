package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.LossReason;
import io.micronaut.context.ApplicationContext;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShutdownTest {
  static final List<String> LAST_WORDS = new CopyOnWriteArrayList<>();

  private final Neighbour neighbour = new Neighbour();

  @AfterEach
  void close() {
    neighbour.close();
  }

  @Test
  void closingTheContextClosesTheClientAndFreesWhatItHeld() {
    ApplicationContext context = neighbour.application();
    LockClient locks = context.getBean(LockClient.class);
    Lease lease = locks.lock("a").tryAcquire().orElseThrow();
    context.close();
    assertThat(neighbour.isRefused("a")).isFalse();
    assertThat(lease.isHeld()).isFalse();
    assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> locks.lock("a").tryAcquire()))
        .isInstanceOf(LockClosedException.class);
  }

  @Test
  void aMethodThatStillRunsIsToldThatItsClientWasClosed() throws Exception {
    ApplicationContext context = neighbour.application();
    Slow slow = context.getBean(Slow.class);
    Thread call = new Thread(() -> slow.run(null));
    call.start();
    assertThat(slow.began.await(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(neighbour.isRefused("slow")).isTrue();
    context.close();
    assertThat(slow.loss.get(BOUND.toSeconds(), TimeUnit.SECONDS).reason())
        .isEqualTo(LossReason.CLIENT_CLOSED);
    assertThat(neighbour.isRefused("slow")).isFalse();
    slow.finish.countDown();
    call.join(BOUND.toMillis());
  }

  @Test
  void clientsAreClosedAfterTheBeansThatUseThem() {
    LAST_WORDS.clear();
    ApplicationContext context = neighbour.application();
    context.getBean(LastWords.class).run();
    context.getBean(LastWordsWithClient.class);
    context.close();
    assertThat(LAST_WORDS).containsExactlyInAnyOrder("locked", "locked", "with the client");
  }

  @Test
  void clientsNeedFewerBeansThanAnyBeanWithLockedMethodsWhichIsWhatTheirOrderRestsOn() {
    try (ApplicationContext context =
        neighbour.application("leasehold.clients.second.url", neighbour.url())) {
      int fewest = context.getBeanDefinition(LastWords.class).getRequiredComponents().size();
      assertThat(context.getBeanDefinitions(LockClient.class))
          .hasSize(2)
          .allSatisfy(each -> assertThat(each.getRequiredComponents()).hasSizeLessThan(fewest));
    }
  }

  @Singleton
  static class Slow {
    final CountDownLatch began = new CountDownLatch(1);
    final CountDownLatch finish = new CountDownLatch(1);
    final CompletableFuture<LeaseLoss> loss = new CompletableFuture<>();

    @Locked(value = "slow", onLost = OnLost.IGNORE)
    void run(@Nullable Lease lease) {
      if (lease != null) {
        lease.onLost(loss::complete);
      }
      began.countDown();
      try {
        finish.await(BOUND.toSeconds(), TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Singleton
  static class LastWords {
    @Locked("last")
    void run() {
      LAST_WORDS.add("locked");
    }

    @PreDestroy
    void end() {
      run();
    }
  }

  @Singleton
  static class LastWordsWithClient {
    private final LockClient locks;

    LastWordsWithClient(LockClient locks) {
      this.locks = locks;
    }

    @PreDestroy
    void end() {
      locks.lock("last").tryAcquire().ifPresent(Lease::close);
      LAST_WORDS.add("with the client");
    }
  }
}
