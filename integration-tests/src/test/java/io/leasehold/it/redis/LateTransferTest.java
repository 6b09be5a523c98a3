package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.tck.wire.ForwardingNode;
import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.Chunk;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A transfer is lost with its connection, and still reaches the server: before the two releases
 * that follow, between them, or after them. Nothing stays held.
 */
@ParameterizedClass
@EachDriver
class LateTransferTest {
  private static final String PATIENT = "commandTimeout=5s&connectTimeout=10s";
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** Much shorter than the lease time: a lock that is left behind is not free so soon. */
  private static final Duration SOON = Duration.ofSeconds(8);

  /** How many keys the scripts for a transfer and for a downgrade have, with a guard or without. */
  private static final Set<String> TRANSFERS = Set.of("5", "6");

  private static final Set<String> DOWNGRADES = Set.of("9");

  private static final Executor A_MOMENT_LATER =
      CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS);

  @Parameter Driver driver = Driver.LETTUCE;

  private RedisServer server;
  private FaultyProxy proxy;
  private LockClient client;
  private LockClient other;

  // Guarded by the monitor.
  private Set<String> awaited = Set.of();
  private @Nullable List<String> late;
  private int arrivesAfter;
  private int confirmed;
  private boolean delivered;
  private CompletableFuture<String> last = CompletableFuture.completedFuture("");

  @BeforeEach
  void open() {
    server = RedisServer.start();
    proxy = FaultyProxy.to(server);
    proxy.onChunk(Direction.TO_SERVER, this::passes);
    client = Locks.builder().url(driver.at(proxy.port(), PATIENT)).decorate(InTurn::new).open();
    other = Locks.open(driver.url(server, PATIENT));
  }

  @AfterEach
  void close() {
    client.close();
    other.close();
    proxy.close();
    server.close();
  }

  /** Sends one release after the other, so that the transfer can arrive at any moment. */
  private final class InTurn extends ForwardingNode {
    InTurn(LockNode node) {
      super(node);
    }

    @Override
    protected LockNode around(LockNode view) {
      return new InTurn(view);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      CompletableFuture<String> over = new CompletableFuture<>();
      return afterTheLast(over)
          .thenCompose(before -> connected(node()))
          .thenCompose(
              connected -> {
                deliverIfDue();
                return node().release(request);
              })
          .thenApply(LateTransferTest.this::released)
          .whenComplete((reply, error) -> over.complete(""));
    }
  }

  private synchronized CompletionStage<String> afterTheLast(CompletableFuture<String> next) {
    CompletionStage<String> before = last;
    last = next;
    return before;
  }

  /** Waits for a new connection after the cut, so that the releases arrive in their order. */
  private static CompletionStage<String> connected(LockNode node) {
    return node.identity()
        .thenCompose(
            reply ->
                reply instanceof Failed
                    ? CompletableFuture.supplyAsync(() -> node, A_MOMENT_LATER)
                        .thenCompose(LateTransferTest::connected)
                    : CompletableFuture.completedStage(""));
  }

  private synchronized ReleaseReply released(ReleaseReply reply) {
    if (late != null && !(reply instanceof Failed)) {
      confirmed++;
      deliverIfDue();
    }
    return reply;
  }

  private synchronized void deliverIfDue() {
    if (late != null && !delivered && confirmed == arrivesAfter) {
      delivered = true;
      try (RespConnection connection = server.connect(SOON)) {
        connection.call(late.toArray(new String[0]));
      }
    }
  }

  private synchronized boolean isDelivered() {
    return delivered;
  }

  private synchronized boolean isLost() {
    return late != null;
  }

  private synchronized void loseTheNext(Set<String> keys) {
    awaited = keys;
  }

  /** What passes the proxy on its way to the server: the script that is waited for is kept. */
  private synchronized void passes(Chunk chunk) {
    for (List<String> command : commands(chunk.text())) {
      if (late == null
          && command.size() > 2
          && command.get(0).equalsIgnoreCase("EVALSHA")
          && awaited.contains(command.get(2))) {
        late = command;
        proxy.dropNext(Direction.TO_SERVER, AfterDrop.CUT);
      }
    }
  }

  /** The commands of a chunk, which begins with one. */
  private static List<List<String>> commands(String text) {
    List<List<String>> commands = new ArrayList<>();
    String[] lines = text.split("\r\n", -1);
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].startsWith("*")) {
        commands.add(new ArrayList<>());
      } else if (lines[i].startsWith("$") && !commands.isEmpty() && i + 1 < lines.length) {
        commands.get(commands.size() - 1).add(lines[++i]);
      }
    }
    return commands;
  }

  private boolean isInLine(String name) {
    return server.command("KEYS", "leasehold:waiters:*" + name) instanceof List<?> lines
        && !lines.isEmpty();
  }

  @ParameterizedTest(name = "[{index}] {0} releases before it")
  @ValueSource(ints = {0, 1, 2})
  void aHandOverThatArrivesLateLeavesNothing(int releases) throws Exception {
    arrivesAfter = releases;
    handOverOnce();
    loseTheNext(TRANSFERS);
    DistributedLock lock = client.lock("a");
    Lease lease = lock.acquire(SOON);
    for (int i = 0; i < 100 && !isLost(); i++) { // a busy machine may release and ask again
      CompletableFuture<Lease> next = lock.acquireAsync(MINUTE);
      await().atMost(SOON).until(() -> isInLine("a"));
      releaseOrLose(lease);
      lease = next.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
    assertThat(isLost()).isTrue();
    await().atMost(SOON).until(this::isDelivered);
    lease.release();
    other.lock("a").acquire(SOON).release();
    assertThat(server.command("EXISTS", "a")).isEqualTo(0L);
  }

  private static void releaseOrLose(Lease lease) {
    try {
      lease.release();
    } catch (LockUnavailableException e) {
      // The transfer was lost.
    }
  }

  /** The server knows the script from then on: what arrives late is carried out. */
  private void handOverOnce() throws Exception {
    DistributedLock lock = client.lock("warm-up");
    Lease lease = lock.acquire(SOON);
    List<String> calls = new ArrayList<>();
    for (int i = 0; i < 100 && calls.isEmpty(); i++) {
      CompletableFuture<Lease> next = lock.acquireAsync(MINUTE);
      await().atMost(SOON).until(() -> isInLine("warm-up"));
      proxy.onChunk(
          Direction.TO_SERVER,
          chunk ->
              commands(chunk.text()).stream()
                  .filter(command -> command.size() > 2 && TRANSFERS.contains(command.get(2)))
                  .forEach(command -> calls.add(command.get(0))));
      lease.release();
      lease = next.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }
    lease.release();
    proxy.onChunk(Direction.TO_SERVER, this::passes);
    assertThat(calls).isNotEmpty();
  }

  @ParameterizedTest(name = "[{index}] {0} releases before it")
  @ValueSource(ints = {0, 1, 2})
  void aDowngradeThatArrivesLateLeavesNothing(int releases) throws Exception {
    arrivesAfter = releases;
    DistributedReadWriteLock warm = client.readWriteLock("warm-up");
    warm.downgrade(warm.writeLock().acquire(SOON)).release();
    DistributedReadWriteLock lock = client.readWriteLock("a");
    Lease writer = lock.writeLock().acquire(SOON);
    loseTheNext(DOWNGRADES);
    assertThatThrownBy(() -> lock.downgrade(writer)).isInstanceOf(LockUnavailableException.class);
    assertThat(isLost()).isTrue();
    await().atMost(SOON).until(this::isDelivered);
    other.readWriteLock("a").writeLock().acquire(SOON).release();
  }
}
