package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LossReason;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/** Servers and wires that fail and come back: nobody restarts the application for it. */
@ParameterizedClass
@EachDriver
class RecoveryTest {
  @Parameter Driver driver = Driver.LETTUCE;

  private RedisServer server;
  private FaultyProxy proxy;
  private LockClient client;

  @BeforeEach
  void open() {
    server = RedisServer.start();
    proxy = FaultyProxy.to(server);
    client = Locks.open(driver.at(proxy.port(), "leaseTime=3s", "maxLease=10s"));
  }

  @AfterEach
  void close() {
    client.close();
    proxy.close();
    server.close();
  }

  private void worksAgain() throws InterruptedException {
    client.lock("again").acquire(Duration.ofSeconds(5)).close();
  }

  @Test
  void aFlushOfTheScriptsInTheMiddleIsNotNoticed() {
    DistributedLock lock = client.lock("a");
    for (int i = 0; i < 1_000; i++) {
      if (i % 100 == 50) {
        server.command("SCRIPT", "FLUSH");
      }
      assertThat(lock.tryAcquire().orElseThrow().release()).hasToString("RELEASED");
    }
  }

  @Test
  void aLeaseSurvivesARestartWithItsData() throws InterruptedException {
    Lease lease = client.lock("a").acquire();
    server.kill();
    server.restart(RedisServer.Data.KEPT);
    await()
        .during(Duration.ofSeconds(4)) // longer than the lease: it is being renewed
        .atMost(Duration.ofSeconds(6))
        .until(lease::isHeld);
    assertThat(lease.release()).hasToString("RELEASED");
    worksAgain();
  }

  @Test
  void aLeaseThatTheServerForgotIsToldAtTheNextRenewal() throws InterruptedException {
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    Lease lease = client.lock("a").acquire();
    lease.onLost(loss -> losses.add(loss.reason()));
    server.command("DEL", "a");
    await().atMost(Duration.ofSeconds(2)).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(LossReason.TAKEN);
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void aServerThatIsPausedPastTheLeaseCostsTheLease() throws InterruptedException {
    List<LossReason> losses = new CopyOnWriteArrayList<>();
    Lease lease = client.lock("a").acquire();
    lease.onLost(loss -> losses.add(loss.reason()));
    server.pause();
    await().atMost(Duration.ofSeconds(4)).until(() -> !losses.isEmpty());
    assertThat(losses).containsExactly(LossReason.RENEWAL_FAILED);
    assertThatThrownBy(() -> client.lock("b").tryAcquire())
        .isInstanceOf(LockUnavailableException.class);
    server.resume();
    worksAgain();
  }

  @Test
  void aCutConnectionIsMadeAnew() throws InterruptedException {
    Lease lease = client.lock("a").acquire();
    for (Cut how : Cut.values()) {
      proxy.cut(how);
      worksAgain();
    }
    assertThat(lease.isHeld()).isTrue();
    server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    worksAgain();
  }

  @Test
  void aConnectionOfWhichOneHalfIsClosedIsMadeAnew() throws InterruptedException {
    Lease lease = client.lock("a").acquire();
    for (Direction half : Direction.values()) {
      proxy.halfClose(half);
      worksAgain();
    }
    assertThat(lease.isHeld()).isTrue();
  }

  @Test
  void aConnectionThatFallsSilentIsReplaced() throws InterruptedException {
    worksAgain();
    proxy.blackHole();
    long start = System.nanoTime();
    assertThatThrownBy(() -> client.lock("b").tryAcquire())
        .isInstanceOf(LockUnavailableException.class);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(1));
    proxy.heal();
    worksAgain();
  }

  @Test
  void aServerThatIsGoneForAWhileIsFoundAgain() throws InterruptedException {
    worksAgain();
    server.kill();
    assertThatThrownBy(() -> client.lock("b").acquire(Duration.ofSeconds(1)))
        .isInstanceOf(LockUnavailableException.class);
    server.restart(RedisServer.Data.LOST);
    worksAgain();
  }
}
