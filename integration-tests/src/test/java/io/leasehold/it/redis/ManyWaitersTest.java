package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockClosedException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(Driver.class)
class ManyWaitersTest {
  @Parameter Driver driver = Driver.LETTUCE;

  private static final int WAITERS = 2_000;

  private static long threadsOfOurs() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().matches("(leasehold|lettuce|vert.x).*"))
        .count();
  }

  @Test
  void twoThousandWaitersNeedFewThreadsAndFewCommandsAndEndWithClose() {
    try (RedisServer server = RedisServer.start()) {
      String url = driver.at(server.port());
      LockClient client = Locks.open(url);
      try (LockClient other = Locks.open(url);
          Lease held = other.lock("a").tryAcquire().orElseThrow()) {
        server.command("CONFIG", "RESETSTAT");
        List<CompletableFuture<Lease>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITERS; i++) {
          waiting.add(client.lock("a").acquireAsync(Duration.ofMinutes(1)));
        }
        assertThat(threadsOfOurs()).isLessThan(30);
        assertThat(waiting).noneMatch(CompletableFuture::isDone);
        client.close();
        assertThat(waiting)
            .allSatisfy(
                future ->
                    assertThat(future)
                        .failsWithin(5, TimeUnit.SECONDS)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(LockClosedException.class));
        assertThat(server.calls("evalsha")).as("only the first in line asks").isLessThan(50);
        assertThat(held.isHeld()).isTrue();
      }
    }
  }

  @Test
  void theyAreServedOneAfterTheOther() {
    try (RedisServer server = RedisServer.start();
        LockClient client = Locks.open(driver.at(server.port()))) {
      List<Long> tokens = new ArrayList<>();
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        all.add(
            client
                .lock("a")
                .acquireAsync(Duration.ofMinutes(1))
                .thenAccept(
                    lease -> {
                      tokens.add(lease.fencingToken()); // safe: one holder at a time
                      lease.close();
                    }));
      }
      assertThat(CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])))
          .succeedsWithin(60, TimeUnit.SECONDS);
      assertThat(tokens).hasSize(300).isSorted().doesNotHaveDuplicates();
    }
  }
}
