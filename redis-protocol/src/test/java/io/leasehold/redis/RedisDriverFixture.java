package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of a driver share: a server, a network that fails on request, and patience. */
public abstract class RedisDriverFixture {
  static final Duration LONG = Duration.ofSeconds(10);

  /** Longer than a call that does not wait can take on a busy machine, shorter than a wait. */
  static final Duration AT_ONCE = Duration.ofSeconds(1);

  private static @Nullable RedisServer shared;

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();

  /** Counts how often a channel said that it is broken. */
  final AtomicInteger broken = new AtomicInteger();

  /** For the contracts. */
  protected RedisDriverFixture() {}

  /** Makes the driver under test; the test closes it. */
  protected abstract RedisDriver driver(ConnectionSettings settings);

  @BeforeAll
  static void startServer() {
    shared = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server().close();
    shared = null;
  }

  @BeforeEach
  void emptyServer() {
    server().command("FLUSHALL");
    server().command("SCRIPT", "FLUSH");
    server().command("CONFIG", "RESETSTAT");
  }

  @AfterEach
  void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
  }

  static RedisServer server() {
    return Objects.requireNonNull(shared);
  }

  /** Closes it after the test, the last one first. */
  final <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  final FaultyProxy proxy() {
    return closing(FaultyProxy.to(server()));
  }

  /** A driver with what a URL says, such as {@code redis://:pw@h/3?clientName=me}. */
  final RedisDriver driver(String url) {
    return closing(driver(settings(url)));
  }

  /** A driver whose connections have a name: making one takes a round trip. */
  final RedisDriver driver() {
    return driver("redis://h?clientName=contract");
  }

  static ConnectionSettings settings(String url) {
    // A driver's first connection loads its classes, on a machine that is busy.
    String patient =
        url.contains("connectTimeout")
            ? url
            : url + (url.contains("?") ? "&" : "?") + "connectTimeout=10s";
    return ConnectionSettings.of(LockUrl.parse("lock:" + patient));
  }

  static Endpoint endpoint() {
    return Endpoint.data(server().host(), server().port());
  }

  static Endpoint endpoint(FaultyProxy proxy) {
    return Endpoint.data(proxy.host(), proxy.port());
  }

  final RedisChannel open(RedisDriver driver, Endpoint server) {
    return get(checked(driver, driver.open(server, broken::incrementAndGet)));
  }

  /** Opens a channel and sends, so that a connection exists whenever the driver makes it. */
  final RedisChannel connected(RedisDriver driver, Endpoint server) {
    RedisChannel channel = open(driver, server);
    assertThat(text(send(channel, RedisCommand.of("PING")).get(0))).isEqualTo("PONG");
    return channel;
  }

  static List<Object> send(RedisChannel channel, RedisCommand... commands) {
    return get(channel.send(List.of(commands), LONG));
  }

  static @Nullable Object sendOne(RedisChannel channel, String name, Object... args) {
    List<Object> replies = send(channel, RedisCommand.of(name, args));
    assertThat(replies).hasSize(1);
    return replies.get(0);
  }

  /** Why no command got through: from opening or, where that is put off, from sending. */
  final Throwable failureToConnect(RedisDriver driver, Endpoint server) {
    return failure(
        onThread(
            () ->
                checked(driver, driver.open(server, broken::incrementAndGet))
                    .thenCompose(channel -> channel.send(List.of(RedisCommand.of("PING")), LONG))));
  }

  /** A driver that blocks returns completed stages. */
  static <T> CompletionStage<T> checked(RedisDriver driver, CompletionStage<T> stage) {
    if (driver.blocking()) {
      assertThat(stage.toCompletableFuture()).isDone();
    }
    return stage;
  }

  /** Calls on another thread, since a driver may block; fails if the call throws. */
  static <T> CompletableFuture<T> onThread(Supplier<? extends CompletionStage<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                call.get()
                    .whenComplete(
                        (value, error) -> {
                          if (error == null) {
                            result.complete(value);
                          } else {
                            result.completeExceptionally(error);
                          }
                        });
              } catch (Throwable thrown) {
                result.completeExceptionally(new AssertionError("the call threw", thrown));
              }
            },
            "contract-caller");
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  static <T> T get(CompletionStage<T> stage) {
    try {
      return stage.toCompletableFuture().get(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("not completed in time", e);
    }
  }

  static Throwable failure(CompletionStage<?> stage) {
    Throwable error = get(stage.handle((value, thrown) -> thrown));
    assertThat(error).as("the stage must fail").isNotNull();
    return error instanceof CompletionException && error.getCause() != null
        ? error.getCause()
        : error;
  }

  static void assertFailure(Throwable error, FailureKind... kinds) {
    assertThat(error)
        .isInstanceOfSatisfying(
            RedisConnectionFailure.class,
            failure -> assertThat(failure.kind()).isIn(List.of(kinds)));
  }

  static void assertErrorReply(@Nullable Object reply, String code) {
    assertThat(reply)
        .isInstanceOfSatisfying(
            RedisErrorReply.class, error -> assertThat(error.code()).isEqualTo(code));
  }

  /** Waits for what another thread or another process does. */
  static void eventually(Supplier<Boolean> condition) {
    await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(LONG)
        .until(() -> Boolean.TRUE.equals(condition.get()));
  }

  /** Holds for a while in which the contrary would have had its time to happen. */
  static void staysTrue(Supplier<Boolean> condition) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .during(Duration.ofMillis(300))
        .atMost(LONG)
        .until(() -> Boolean.TRUE.equals(condition.get()));
  }

  /** The client has hung up; a proxy sees that once nothing is held back any more. */
  static void assertNothingLeftOpen(FaultyProxy proxy) {
    proxy.heal();
    eventually(() -> proxy.openConnections() == 0);
  }

  static String clientList() {
    return String.valueOf(server().command("CLIENT", "LIST"));
  }

  /** How many connections of that name the server has. */
  static long connectionsNamed(String name) {
    return clientList().lines().filter(line -> line.contains(" name=" + name + " ")).count();
  }

  static String text(@Nullable Object reply) {
    assertThat(reply).isInstanceOf(byte[].class);
    return new String((byte[]) Objects.requireNonNull(reply), StandardCharsets.UTF_8);
  }

  static String trace(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }
}
