package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.hygiene.ServerState;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * A call that waits makes a second connection, to listen. A client that is closed at that moment
 * must not leave it open: an event loop that ends meanwhile would.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClosingWhileConnectingTest {
  private static final int CLIENTS = Boolean.getBoolean("leasehold.full") ? 1_000 : 40;
  private static final Duration WAIT = Duration.ofSeconds(20);

  @ParameterizedTest
  @EachDriver
  void aConnectionThatIsBeingMadeIsClosedToo(Driver driver) throws Exception {
    Random random = new Random();
    try (RedisServer server = RedisServer.start();
        LockClient holder = Locks.open(Driver.JEDIS.url(server, "connectTimeout=10s"));
        Lease taken = holder.lock("taken").acquire()) {
      ServerState base = ServerState.of(server);
      for (int i = 0; i < CLIENTS; i++) {
        CompletableFuture<Lease> waiting;
        try (LockClient client = Locks.open(driver.url(server, "connectTimeout=10s"))) {
          waiting = client.lock("taken").acquireAsync(WAIT);
          LockSupport.parkNanos(random.nextInt(3_000_000)); // about as long as a connection takes
        }
        assertThat(waiting).failsWithin(WAIT);
      }
      taken.ensureHeld();
      await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> assertThat(ServerState.of(server).clients()).isEqualTo(base.clients()));
    }
  }
}
