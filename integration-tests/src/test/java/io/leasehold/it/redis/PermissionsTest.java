package io.leasehold.it.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.Opened;
import io.leasehold.it.Permissions;
import io.leasehold.spi.Busy;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.ForcedRelease;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.Queueing;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.spi.TransferRequest;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Watching;
import io.leasehold.testkit.RedisReplicas;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import io.leasehold.testkit.RespConnection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The documented login on one server is enough, and nothing in it is too much: each command is
 * taken away in turn. The default user is locked, so that nothing happens before the login.
 */
@ParameterizedClass(name = "{0} on {1}")
@MethodSource("everywhere")
class PermissionsTest {
  private static final Duration BOUND = Duration.ofSeconds(20);
  private static final String ADMIN = "adm1n";

  /** Not the first database: some do without, and get along without that permission. */
  private static final String DATABASE = "1";

  @SuppressWarnings("NullAway.Init") // started before the first test
  private static RedisReplicas set;

  @Parameter(0)
  Driver driver = Driver.LETTUCE;

  @Parameter(1)
  RedisVersion version = RedisVersion.V7_0;

  private final String name = "lock-" + UUID.randomUUID();

  /** What a client does, each with another set of commands. */
  enum Use {
    OPEN,
    ACQUIRE,
    BUSY,
    WAIT,
    RELEASE,
    EXTEND,
    INSPECT,
    FORCE,
    VOUCH,
    WATCH,
    FAIR,
    READ,
    PERMIT,
    LIST
  }

  static Stream<Arguments> everywhere() {
    return Stream.of(RedisVersion.values())
        .flatMap(
            version -> Stream.of(Driver.values()).map(driver -> Arguments.of(driver, version)));
  }

  @BeforeParameterizedClassInvocation
  static void start(Driver driver, RedisVersion version) {
    set =
        RedisReplicas.builder()
            .replicas(1)
            .nodes(node -> node.version(version).password(ADMIN))
            .start();
    // With redis 6 it takes a second until the master counts on the replica's word.
    await()
        .atMost(BOUND)
        .until(() -> Long.valueOf(1).equals(set.master().command("WAIT", "1", "100")));
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    set.close();
  }

  @Test
  void theLineIsEnoughForEverything() throws Exception {
    allow(Permissions.grantAllBut("", "app", "pw"));
    try (Asking mine = open("leaseTime=600ms");
        Asking other = open("leaseTime=600ms")) {
      assertThat(mine.vouch()).isInstanceOf(Vouched.class);
      Lease held = mine.client().lock(name).acquire(BOUND);
      assertThat(mine.node().inspect(name).toCompletableFuture().join())
          .isInstanceOfSatisfying(Inspection.class, seen -> assertThat(seen.holder()).isPresent());
      CompletableFuture<Lease> waiting = other.client().lock(name).acquireAsync(BOUND);
      TimeUnit.MILLISECONDS.sleep(1_500); // it is renewed
      assertThat(waiting).isNotDone();
      assertThat(held.release()).isEqualTo(ReleaseResult.RELEASED);
      Lease next = waiting.get(BOUND.toSeconds(), TimeUnit.SECONDS);
      AtomicReference<LossReason> lost = new AtomicReference<>();
      next.onLost(loss -> lost.set(loss.reason()));
      assertThat(mine.force(name)).isInstanceOf(Released.class);
      await().atMost(BOUND).until(() -> lost.get() == LossReason.FORCED);
    }
    assertThat(denied()).isEmpty(); // not even something that nobody noticed
  }

  @Test
  void theLineIsEnoughForEveryKindOfLock() {
    allow(Permissions.grantAllBut("", "app", "pw"));
    try (Asking mine = open();
        Asking other = open()) {
      mine.vouch();
      ReadWriteLocks rw = mine.node().offer(ReadWriteLocks.class).orElseThrow();
      ReadWriteLocks others = other.node().offer(ReadWriteLocks.class).orElseThrow();
      Semaphores semaphores = mine.node().offer(Semaphores.class).orElseThrow();
      SeveralLocks several = mine.node().offer(SeveralLocks.class).orElseThrow();
      cycle(rw.writers(), others.writers());
      cycle(rw.writers(), others.readers());
      cycle(rw.readers(), others.writers());
      cycle(semaphores.permits(1), other.node().offer(Semaphores.class).orElseThrow().permits(1));
      cycle(several.all(List.of(name, name + "-2")), other.node());
      assertThat(Asking.granted(rw.writers(), name, "w")).isInstanceOf(Granted.class);
      assertThat(Asking.join(rw.readers().transfer(new TransferRequest(name, "w", "r", 5_000, 1))))
          .isInstanceOf(Granted.class);
      assertThat(mine.list("*")).isInstanceOf(Listed.class);
    }
    assertThat(denied()).isEmpty();
  }

  /** All that can be asked of a lock, and somebody who waits for it meanwhile. */
  private void cycle(LockNode holder, LockNode waiter) {
    AtomicInteger woken = new AtomicInteger();
    assertThat(Asking.join(waiter.watch(name, woken::incrementAndGet)))
        .isInstanceOf(Watching.class);
    Granted granted = (Granted) Asking.granted(holder, name, "o-1");
    assertThat(
            Asking.join(holder.raise(new RaiseRequest(name, "o-1", granted.token() + 1_000_000))))
        .isInstanceOf(Raised.class);
    assertThat(
            Asking.join(
                waiter.grant(
                    new GrantRequest(
                        name, "o-2", 5_000, 1, GrantRequest.NO_DEADLINE, Queueing.WAKE))))
        .isInstanceOf(Busy.class);
    assertThat(Asking.join(holder.extend(List.of(new ExtendRequest(name, "o-1", 5_000)))).get(0))
        .isInstanceOf(Extended.class);
    Asking.join(holder.inspect(name));
    assertThat(Asking.join(holder.release(new ReleaseRequest(name, "o-1"))))
        .isInstanceOf(Released.class);
    await().atMost(BOUND).until(() -> woken.get() == 1);
    assertThat(Asking.granted(waiter, name, "o-3")).isInstanceOf(Granted.class);
    waiter
        .offer(ForcedRelease.class)
        .ifPresent(
            force ->
                assertThat(Asking.join(force.forceRelease(name))).isInstanceOf(Released.class));
    Asking.join(waiter.release(new ReleaseRequest(name, "o-3")));
  }

  @Test
  void theKeysCanBeNarrowedToTheNamesInUse() throws Exception {
    allow(
        Permissions.grant(
            "app",
            "pw",
            "resetkeys ~job:* ~leasehold:* resetchannels &leasehold:wake:* -@all",
            Permissions.commands()));
    try (Asking mine = open()) {
      mine.vouch();
      mine.client().lock("job:" + name).acquire(BOUND).close();
      assertThat(denied()).isEmpty();
      assertThat(refusal(() -> mine.client().lock(name).tryAcquire())).contains("NO_PERMISSION");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "script|load, OPEN",
    "info, OPEN",
    "select, OPEN",
    "evalsha, ACQUIRE",
    "time, ACQUIRE",
    "get, ACQUIRE",
    "set, ACQUIRE",
    "pttl, BUSY",
    "zadd, WAIT",
    "pexpire, WAIT",
    "pexpire, EXTEND",
    "del, RELEASE",
    "del, FORCE",
    "zcard, INSPECT",
    "subscribe, WATCH",
    "info, ACQUIRE",
    "hmget, ACQUIRE",
    "zscore, FAIR",
    "zscore, READ",
    "zremrangebyscore, READ",
    "zremrangebyscore, PERMIT",
    "pexpire, PERMIT",
    "scan, LIST",
    "exists, LIST",
    "hset, VOUCH",
    "hget, VOUCH",
  })
  void withoutItTheServersRefusalIsTold(String command, Use use) {
    String said = said(command, use);
    assertThat(said).contains("NO_PERMISSION");
    String first = command.replaceFirst("\\|.*", "");
    // With Vert.x, a connection that is discarded says UNSUBSCRIBE (ADR 14), allowed or not.
    assertThat(denied())
        .anyMatch(denied -> denied.startsWith(first))
        .allMatch(denied -> denied.startsWith(first) || denied.equals("unsubscribe"));
    assertThat(said).contains("'" + first);
  }

  /** What happens after the lock is free is nobody's reason to call the release a failure. */
  @ParameterizedTest
  @ValueSource(strings = {"zrange", "publish"})
  void withoutItNobodyIsWoken(String command) {
    allow(Permissions.grantAllBut("", "app", "pw"));
    try (Asking mine = open();
        Asking waiter = openAsAdmin()) {
      mine.vouch();
      Lease first = mine.client().lock(name).tryAcquire().orElseThrow();
      AtomicInteger woken = waiter.watch(name);
      assertThat(waiter.enter(name)).isInstanceOf(Busy.class);
      allow(Permissions.grantAllBut(command, "app", "pw"));
      assertThat(first.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(denied()).containsExactly(command);
      allow(Permissions.grantAllBut("", "app", "pw"));
      Lease second = mine.client().lock(name).tryAcquire().orElseThrow();
      assertThat(waiter.enter(name)).isInstanceOf(Busy.class);
      assertThat(woken).hasValue(0);
      assertThat(second.release()).isEqualTo(ReleaseResult.RELEASED);
      await().atMost(BOUND).until(() -> woken.get() == 1);
    }
  }

  @Test
  void withoutZremAHolderStaysInTheLine() {
    allow(Permissions.grantAllBut("zrem", "app", "pw"));
    try (Asking mine = open()) {
      mine.vouch();
      try (Asking other = openAsAdmin()) {
        Lease held = other.client().lock(name).tryAcquire().orElseThrow();
        assertThat(mine.enter(name)).isInstanceOf(Busy.class);
        held.close();
      }
      assertThat(mine.enter(name)).isInstanceOf(Granted.class);
      assertThat(denied()).containsExactly("zrem");
      assertThat(mine.node().inspect(name).toCompletableFuture().join())
          .isInstanceOfSatisfying(
              Inspection.class, seen -> assertThat(seen.waiters()).isEqualTo(1));
    }
  }

  @Test
  void withoutExistsAWakeUpIsNotPassedOn() {
    allow(Permissions.grantAllBut("exists", "app", "pw"));
    try (Asking mine = open();
        Asking holder = openAsAdmin();
        Asking next = openAsAdmin()) {
      mine.vouch();
      Lease held = holder.client().lock(name).tryAcquire().orElseThrow();
      AtomicInteger told = new AtomicInteger();
      Watching watching =
          (Watching) mine.node().watch(name, told::incrementAndGet).toCompletableFuture().join();
      mine.enter(name);
      AtomicInteger woken = next.watch(name);
      next.enter(name);
      held.release(); // wakes the first in line,
      await().atMost(BOUND).until(() -> told.get() == 1);
      watching.watch().close(); // who does not want it any more
      await().atMost(BOUND).until(() -> denied().contains("exists"));
      assertThat(woken).hasValue(0);
    }
  }

  @Test
  void withoutSubscribeALockIsPolledFor() throws Exception {
    allow(Permissions.grantAllBut("subscribe", "app", "pw"));
    try (Asking mine = open();
        Asking other = openAsAdmin()) {
      mine.vouch();
      Lease held = other.client().lock(name).tryAcquire().orElseThrow();
      CompletableFuture<Lease> waiting = mine.client().lock(name).acquireAsync(BOUND);
      await().atMost(BOUND).until(() -> denied().contains("subscribe"));
      held.close();
      waiting.get(BOUND.toSeconds(), TimeUnit.SECONDS).close();
    }
  }

  @Test
  void withoutTheChannelsAWatchIsRefused() {
    allow(
        Permissions.grant("app", "pw", "resetkeys ~* resetchannels -@all", Permissions.commands()));
    try (Asking mine = open()) {
      assertThat(refusal(() -> mine.node().watch(name, () -> {}).toCompletableFuture().join()))
          .contains("NO_PERMISSION")
          .contains("channel");
    }
  }

  @Test
  void aGrantForWhichReplicasMayNotBeWaitedForIsTakenBack() {
    assertThat(said("wait", Use.ACQUIRE)).contains("NOPERM").contains("'wait'");
    assertThat(denied()).isNotEmpty().allMatch("wait"::equals);
    // Long before its lease would have ended.
    await()
        .atMost(Duration.ofSeconds(5))
        .until(() -> Long.valueOf(0).equals(asAdmin("EXISTS", name)));
  }

  private String said(String command, Use use) {
    allow(Permissions.grantAllBut(use == Use.OPEN ? command : "", "app", "pw"));
    if (use == Use.OPEN) {
      return refusal(
          () -> {
            open().close();
            return "opened";
          });
    }
    try (Asking mine = open();
        Asking other = openAsAdmin()) {
      mine.vouch();
      Asking holder =
          switch (use) {
            case BUSY, WAIT -> other;
            default -> mine;
          };
      Lease held =
          use == Use.ACQUIRE || use == Use.FAIR
              ? null
              : holder.client().lock(name).tryAcquire().orElseThrow();
      allow(Permissions.grantAllBut(command, "app", "pw"));
      String said =
          refusal(
              () ->
                  switch (use) {
                    case OPEN -> "opened";
                    case ACQUIRE, BUSY -> mine.client().lock(name).tryAcquire();
                    case WAIT -> mine.waitFor(name);
                    case RELEASE -> Objects.requireNonNull(held).release();
                    case EXTEND -> mine.extend(name, String.valueOf(asAdmin("GET", name)));
                    case INSPECT -> mine.node().inspect(name).toCompletableFuture().join();
                    case FORCE -> mine.force(name);
                    case VOUCH -> mine.vouch();
                    case FAIR -> mine.fair(name);
                    case READ -> mine.read(name);
                    case PERMIT -> mine.permit(name);
                    case LIST -> mine.list(name);
                    case WATCH -> mine.node().watch(name, () -> {}).toCompletableFuture().join();
                  });
      List<String> denied = denied();
      allow(Permissions.grantAllBut("", "app", "pw")); // for the end of what is held
      assertThat(denied).isNotEmpty();
      return said;
    }
  }

  /** What was said instead of a result. */
  private static String refusal(Supplier<?> use) {
    Object reply;
    try {
      reply = use.get();
    } catch (LockUnavailableException e) {
      return String.valueOf(e.getMessage());
    }
    assertThat(reply).isInstanceOf(Failed.class);
    Failed failed = (Failed) reply;
    assertThat(failed.kind()).isEqualTo(FailureKind.NO_PERMISSION);
    return failed.kind() + ": " + failed.message();
  }

  @BeforeEach
  void forgetRefusals() {
    set.master().command("ACL", "LOG", "RESET");
  }

  private static void allow(String... setUser) {
    set.master().command(setUser);
  }

  /** The commands, keys and channels that the server has refused. */
  private static List<String> denied() {
    Object log = Objects.requireNonNull(set.master().command("ACL", "LOG"));
    return ((List<?>) log).stream().map(entry -> String.valueOf(((List<?>) entry).get(7))).toList();
  }

  private static Object asAdmin(String... words) {
    RedisServer server = set.master();
    try (RespConnection connection = server.connect(BOUND)) {
      connection.call("SELECT", DATABASE);
      return Objects.requireNonNullElse(connection.call(words), "");
    }
  }

  private Asking open(String... options) {
    return Asking.at(
        driver.url(
            "redis", "app:pw@127.0.0.1:" + set.master().port() + "/" + DATABASE, all(options)));
  }

  private Asking openAsAdmin() {
    return Asking.at(
        driver.url(
            "redis", ":" + ADMIN + "@127.0.0.1:" + set.master().port() + "/" + DATABASE, all()));
  }

  private static String[] all(String... options) {
    return Stream.concat(
            // How long replicas take is not what is tested here.
            Stream.of("guard=on", "minReplicas=1", "replicaTimeout=4s", "commandTimeout=5s"),
            Stream.of(options))
        .toArray(String[]::new);
  }

  /** A client together with the node under it, and single requests of it. */
  private record Asking(Opened opened) implements AutoCloseable {

    static Asking at(String url) {
      return new Asking(Opened.open(url));
    }

    LockClient client() {
      return opened.client();
    }

    LockNode node() {
      return opened.node();
    }

    Object vouch() {
      return opened.vouch();
    }

    Object force(String name) {
      return join(node().offer(ForcedRelease.class).orElseThrow().forceRelease(name));
    }

    Object extend(String name, String owner) {
      return join(node().extend(List.of(new ExtendRequest(name, owner, 5_000)))).get(0);
    }

    /** Asks for a lock that is busy, and enters the line. */
    Object enter(String name) {
      return ask(name, Queueing.WAKE, GrantRequest.NO_PLACE);
    }

    /** Asks for a lock that is free, as one who would wait in a fair line. */
    Object fair(String name) {
      return ask(name, Queueing.FAIR, "1");
    }

    private Object ask(String name, Queueing queueing, String place) {
      String owner = UUID.randomUUID().toString();
      return join(
          node()
              .grant(
                  new GrantRequest(
                      name, owner, 5_000, 1, GrantRequest.NO_DEADLINE, queueing, place)));
    }

    Object read(String name) {
      return granted(node().offer(ReadWriteLocks.class).orElseThrow().readers(), name, "owner");
    }

    Object permit(String name) {
      return granted(node().offer(Semaphores.class).orElseThrow().permits(2), name, "owner");
    }

    Object list(String name) {
      return join(node().offer(LockListing.class).orElseThrow().list(name, 10));
    }

    static Object granted(LockNode view, String name, String owner) {
      return join(
          view.grant(
              new GrantRequest(name, owner, 5_000, 1, GrantRequest.NO_DEADLINE, Queueing.NONE)));
    }

    Object waitFor(String name) {
      try {
        return client().lock(name).acquire(Duration.ofSeconds(5));
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Counts its wake-ups. */
    AtomicInteger watch(String name) {
      AtomicInteger woken = new AtomicInteger();
      assertThat(join(node().watch(name, woken::incrementAndGet))).isInstanceOf(Watching.class);
      return woken;
    }

    static <T> T join(CompletionStage<T> stage) {
      return stage.toCompletableFuture().join();
    }

    @Override
    public void close() {
      opened.close();
    }
  }
}
