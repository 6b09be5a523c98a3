package io.leasehold.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Watching;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A client whose last watch of a lock ends at the very moment at which its next one begins, while
 * others keep the space so busy that either may be held up in between.
 */
class MemoryWatchesTest {
  private static final int ROUNDS = Boolean.getBoolean("leasehold.full") ? 10_000 : 3_000;

  enum Kind {
    PLAIN,
    WRITE,
    PERMIT;

    LockNode of(MemoryNode node) {
      return switch (this) {
        case PLAIN -> node;
        case WRITE -> node.writers();
        case PERMIT -> node.permits(1);
      };
    }
  }

  private final HandMovedTime time = new HandMovedTime();
  private final MemorySpace space = new MemorySpace("test", time);

  private LockNode client(Kind kind) {
    ClientInfo who = new ClientInfo("id", "name", "host", 1);
    return kind.of(new MemoryNode(space, 11_000, time, who, () -> {}));
  }

  private static <R> R now(CompletionStage<R> stage) {
    return stage.toCompletableFuture().join();
  }

  private GrantReply ask(LockNode client, String name, String owner, Queueing queueing) {
    return now(
        client.grant(
            new GrantRequest(
                name, owner, 60_000, time.micros(), GrantRequest.NO_DEADLINE, queueing)));
  }

  private static Watching watch(LockNode client, String name, Runnable wake) {
    return (Watching) now(client.watch(name, wake));
  }

  @ParameterizedTest
  @EnumSource
  void aClientWhoseLastWatchHasEndedIsNoWaiterAnyMore(Kind kind) {
    LockNode holder = client(kind);
    LockNode waiter = client(kind);
    ask(holder, "a", "h", Queueing.NONE);
    Watching watch = watch(waiter, "a", () -> {});
    ask(waiter, "a", "w", Queueing.WAKE);
    assertThat(((Inspection) now(holder.inspect("a"))).waiters()).isEqualTo(1);
    watch.watch().close();
    assertThat(((Inspection) now(holder.inspect("a"))).waiters()).isZero();
  }

  @ParameterizedTest
  @EnumSource
  void theNewWatchIsWokenByTheNextRelease(Kind kind) throws Exception {
    LockNode holder = client(kind);
    LockNode waiter = client(kind);
    ExecutorService other = Executors.newFixedThreadPool(2);
    AtomicBoolean over = new AtomicBoolean();
    Future<?> crowd = other.submit(() -> keepBusy(kind, over));
    CyclicBarrier together = new CyclicBarrier(2);
    try {
      for (int i = 0; i < ROUNDS; i++) {
        String name = "lock-" + i % 10;
        assertThat(ask(holder, name, "h" + i, Queueing.NONE)).isInstanceOf(Granted.class);
        Watching earlier = watch(waiter, name, () -> {});
        Future<?> ending =
            other.submit(
                () -> {
                  together.await();
                  earlier.watch().close();
                  return null;
                });
        together.await();
        AtomicInteger woken = new AtomicInteger();
        Watching later = watch(waiter, name, woken::incrementAndGet);
        assertThat(ask(waiter, name, "w" + i, Queueing.WAKE)).isInstanceOf(Busy.class);
        ending.get();
        assertThat(now(holder.release(new ReleaseRequest(name, "h" + i))))
            .isInstanceOf(Released.class);
        assertThat(woken).as("round %d", i).hasValue(1);
        later.watch().close();
      }
    } finally {
      over.set(true);
      crowd.get();
      other.shutdownNow();
    }
  }

  private void keepBusy(Kind kind, AtomicBoolean over) {
    LockNode client = client(kind);
    for (int i = 0; !over.get(); i++) {
      ask(client, "other", "o" + i, Queueing.NONE);
      now(client.release(new ReleaseRequest("other", "o" + i)));
    }
  }
}
