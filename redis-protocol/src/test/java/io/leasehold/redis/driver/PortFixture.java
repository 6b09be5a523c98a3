package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.redis.ConnectionSettings;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.RedisServers;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What the tests of a port share: how it is opened, and how long to wait. */
public abstract class PortFixture {
  /** Longer than anything takes on a busy machine. */
  static final Duration LONG = Duration.ofSeconds(20);

  /** The command timeout of tests in which a server stays silent. */
  static final Duration SHORT = Duration.ofMillis(400);

  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(PortFixture::daemon);
  private final ExecutorService background = Executors.newCachedThreadPool(PortFixture::daemon);

  /** How often the port said that another server may have taken over. */
  final AtomicInteger doubts = new AtomicInteger();

  /** For the contracts. */
  protected PortFixture() {}

  /** Opens the port under test; the test closes it. */
  protected abstract DriverPort open(
      RedisServers servers, ConnectionSettings settings, PortContext context);

  @AfterEach
  void closeAll() throws Exception {
    while (!opened.isEmpty()) {
      opened.pop().close();
    }
    background.shutdownNow();
    timer.shutdownNow();
  }

  /** Closes it after the test, the last one first. */
  final <T extends AutoCloseable> T closing(T resource) {
    opened.push(resource);
    return resource;
  }

  /** A port for a URL such as {@code redis://:pw@host:1/3?clientName=me}. */
  final DriverPort port(String url) {
    return port(url, Duration.ofSeconds(5));
  }

  final DriverPort port(String url, Duration commandTimeout) {
    String given = url + (url.contains("?") ? "&" : "?");
    // The first connection of a JVM loads the driver's classes.
    String patient = given + "commandTimeout=" + commandTimeout.toMillis() + "ms";
    LockUrl parsed =
        LockUrl.parse(
            "lock:" + patient + (url.contains("connectTimeout") ? "" : "&connectTimeout=10s"));
    return closing(
        open(
            RedisServers.of(parsed),
            ConnectionSettings.of(parsed),
            context(parsed.get(Options.CONNECT_TIMEOUT), commandTimeout)));
  }

  /** What a lock client gives a port, with timeouts that are long enough for a busy machine. */
  protected final PortContext context() {
    return context(LONG, LONG);
  }

  private PortContext context(Duration connectTimeout, Duration commandTimeout) {
    Scheduler scheduler =
        (task, delay) -> {
          ScheduledFuture<?> scheduled = timer.schedule(task, delay, TimeUnit.NANOSECONDS);
          return () -> scheduled.cancel(false);
        };
    return new PortContext(
        scheduler,
        TimeSource.system(),
        background,
        connectTimeout,
        commandTimeout,
        doubts::incrementAndGet);
  }

  static String url(RedisServer server) {
    return "redis://" + server.host() + ":" + server.port();
  }

  static String url(FaultyProxy proxy) {
    return "redis://" + proxy.host() + ":" + proxy.port();
  }

  static byte[] key(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /** Sends one command, and returns its reply. */
  final @Nullable Object ask(DriverPort port, String key, String name, Object... args) {
    return get(sent(port, key, name, args));
  }

  /** Sends one command on a thread of its own. */
  final CompletableFuture<Object> sent(DriverPort port, String key, String name, Object... args) {
    return onThread(() -> port.send(key(key), RedisCommand.of(name, args)));
  }

  final List<Object> askAlone(DriverPort port, String key, RedisCommand... commands) {
    return get(onThread(() -> port.sendAlone(key(key), List.of(commands))));
  }

  /** Calls on another thread, because the port may block; fails if the call throws. */
  final <T> CompletableFuture<T> onThread(Supplier<? extends CompletionStage<T>> call) {
    CompletableFuture<T> result = new CompletableFuture<>();
    background.execute(
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
          } catch (RuntimeException thrown) {
            result.completeExceptionally(new AssertionError("the call threw", thrown));
          }
        });
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

  /** Whether the command got a reply that is no error. */
  protected final boolean works(DriverPort port, String key) {
    return Boolean.TRUE.equals(
        get(
            sent(port, key, "SET", key, "x", "PX", "60000")
                .handle((reply, error) -> error == null && reply instanceof byte[])));
  }

  /** Waits until commands for the key get replies; the last failure is in the message. */
  final void eventuallyWorks(DriverPort port, String key) {
    await()
        .pollInterval(Duration.ofMillis(20))
        .atMost(LONG)
        .untilAsserted(
            () -> assertThat(text(ask(port, key, "SET", key, "x", "PX", "60000"))).isEqualTo("OK"));
  }

  static void eventually(Supplier<Boolean> condition) {
    await()
        .pollInterval(Duration.ofMillis(20))
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

  /** How many connections of that name the server has. */
  @SuppressWarnings("exports") // tests run on the class path
  protected static long connectionsNamed(RedisServer server, String name) {
    return String.valueOf(server.command("CLIENT", "LIST"))
        .lines()
        .filter(line -> line.contains(" name=" + name + " "))
        .count();
  }

  static String text(@Nullable Object reply) {
    assertThat(reply).isInstanceOf(byte[].class);
    return new String((byte[]) Objects.requireNonNull(reply), StandardCharsets.UTF_8);
  }

  /** A reply with texts in place of bytes, for comparison; fails for any other type. */
  static @Nullable Object plain(@Nullable Object reply) {
    if (reply == null || reply instanceof Long) {
      return reply;
    }
    if (reply instanceof List<?> list) {
      List<@Nullable Object> texts = new ArrayList<>();
      list.forEach(element -> texts.add(plain(element)));
      return texts;
    }
    return text(reply);
  }

  static String trace(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "contract");
    thread.setDaemon(true);
    return thread;
  }
}
