package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.ChunkListener;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;

/**
 * A caller that gives up while its request is somewhere on the wire, or whose reply is lost: within
 * a second nothing is held on the server.
 */
@ParameterizedClass
@EachDriver
class GivingUpOnTheWireTest {
  @Parameter Driver driver = Driver.LETTUCE;

  private static final Duration A_SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static RedisServer server;
  private FaultyProxy proxy;
  private LockClient client;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void open() {
    server.command("FLUSHALL");
    proxy = FaultyProxy.to(server);
    client = Locks.open(driver.at(proxy.port()));
    client.lock("warm-up").tryAcquire().orElseThrow().release();
    // After its first grant a client says who it is: that shall not be on the wire any more.
    await()
        .atMost(Duration.ofSeconds(5))
        .until(
            () ->
                server.command("KEYS", "leasehold:client:*") instanceof List<?> l && !l.isEmpty());
  }

  @AfterEach
  void close() {
    client.close();
    proxy.close();
  }

  private static boolean held() {
    return Long.valueOf(1).equals(server.command("EXISTS", "a"));
  }

  /**
   * Whether this is the reply to a grant: in so many words, or the three numbers of the usual one,
   * or the one number of the most usual one, which is that of a release as well.
   */
  private static boolean isGrant(String reply) {
    return reply.contains("GRANTED")
        || reply.matches("(?s).*\\d{10} \\d+ \\d+\\r\\n")
        || (reply.equals(":1\r\n") && held());
  }

  /** The server has carried the grant out, and its reply is on the way back. */
  private CountDownLatch grantedButNotAnswered() {
    CountDownLatch granted = new CountDownLatch(1);
    proxy.onChunk(
        Direction.TO_CLIENT,
        chunk -> {
          if (isGrant(chunk.text())) {
            granted.countDown();
          }
        });
    return granted;
  }

  private void free() {
    await().atMost(A_SECOND).until(() -> !held());
    await()
        .during(Duration.ofMillis(300))
        .atMost(Duration.ofSeconds(2))
        .until(() -> !held()); // and it stays free: nothing late grants it again
  }

  @Test
  void anInterruptedThreadHoldsNothing() throws InterruptedException {
    CountDownLatch granted = grantedButNotAnswered();
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(300));
    AtomicReference<Throwable> outcome = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                client.lock("a").acquire(MINUTE);
              } catch (Throwable e) {
                outcome.set(e);
              }
            });
    thread.start();
    assertThat(granted.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(held()).as("granted on the server, unknown to the client").isTrue();
    thread.interrupt();
    // A driver that blocks is in the middle of a command, and ends that first.
    thread.join(driver == Driver.JEDIS ? 600 : 200);
    assertThat(thread.isAlive()).as("interruption takes effect at once").isFalse();
    assertThat(outcome.get()).isInstanceOf(InterruptedException.class);
    free();
  }

  @Test
  void aThreadInterruptedWhileItWaitsHoldsNothing() throws InterruptedException {
    try (LockClient other = Locks.open(driver.at(server.port()))) {
      Lease lease = other.lock("a").tryAcquire().orElseThrow();
      CountDownLatch done = new CountDownLatch(1);
      Thread thread =
          new Thread(
              () -> {
                try {
                  client.lock("a").acquire(MINUTE);
                } catch (InterruptedException e) {
                  done.countDown();
                }
              });
      thread.start();
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> thread.getState() == Thread.State.TIMED_WAITING);
      thread.interrupt();
      assertThat(done.await(1, TimeUnit.SECONDS)).isTrue();
      lease.release();
      free();
    }
  }

  @Test
  void aCancelledFutureHoldsNothing() throws InterruptedException {
    CountDownLatch granted = grantedButNotAnswered();
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(300));
    CompletableFuture<Lease> future = client.lock("a").acquireAsync(MINUTE);
    assertThat(granted.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(held()).isTrue();
    assertThat(future.cancel(true)).isTrue();
    free();
  }

  @Test
  void aCancelledFutureWhoseRequestIsStillOnItsWayHoldsNothing() {
    proxy.delay(Direction.TO_SERVER, Duration.ofMillis(300));
    CompletableFuture<Lease> future = client.lock("a").acquireAsync(MINUTE);
    assertThat(future.cancel(true)).isTrue();
    assertThat(held()).isFalse();
    free();
  }

  @Test
  void aReplyLostOnTheWireHoldsNothing() {
    proxy.dropNextReply(AfterDrop.KEEP);
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("TIMEOUT");
    free();
  }

  @Test
  void aReplyLostWithItsConnectionHoldsNothing() {
    proxy.dropNextReply(AfterDrop.CUT);
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(LockUnavailableException.class);
    free();
    await()
        .atMost(Duration.ofSeconds(3))
        .ignoreExceptionsInstanceOf(LockUnavailableException.class)
        .until(() -> client.lock("a").tryAcquire().isPresent());
  }

  @Test
  void aConnectionCutBetweenRequestAndReplyHoldsNothing() {
    proxy.onChunk(
        Direction.TO_CLIENT,
        chunk -> {
          if (isGrant(chunk.text())) {
            proxy.onChunk(Direction.TO_CLIENT, ChunkListener.NONE);
            proxy.cut(Cut.RST);
          }
        });
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(LockUnavailableException.class);
    free();
  }

  @Test
  void aRequestThatArrivesAfterItsClientGaveUpGrantsNothing() {
    // Half a second is the command timeout: the client gives up before the request arrives.
    proxy.delay(Direction.TO_SERVER, Duration.ofMillis(900));
    assertThatThrownBy(() -> client.lock("a").tryAcquire())
        .isInstanceOf(LockUnavailableException.class);
    await()
        .during(Duration.ofMillis(1_500))
        .atMost(Duration.ofSeconds(3))
        .until(() -> !held()); // neither the late request nor anything after it holds the lock
  }

  @Test
  void closingTheClientWhileARequestIsUnderWayHoldsNothing() throws InterruptedException {
    CountDownLatch granted = grantedButNotAnswered();
    proxy.delay(Direction.TO_CLIENT, Duration.ofMillis(200));
    CompletableFuture<Lease> future = client.lock("a").acquireAsync(MINUTE);
    assertThat(granted.await(5, TimeUnit.SECONDS)).isTrue();
    client.close();
    assertThat(future).isCompletedExceptionally();
    free();
  }
}
