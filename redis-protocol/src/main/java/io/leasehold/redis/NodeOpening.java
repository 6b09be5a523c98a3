package io.leasehold.redis;

import io.leasehold.spi.Described;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Opens a node: checks the URL, connects, and has a server answer. That may take the {@linkplain
 * OpeningTime connect timeout}, and it tries again for as long while asking again may help. With
 * {@code connect=lazy} it does not wait. What fails leaves nothing behind.
 */
final class NodeOpening {
  /** For what is asked of a server and not of a lock: any key will do. */
  static final byte[] ANY_KEY = "leasehold".getBytes(StandardCharsets.US_ASCII);

  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Providers and schemes with which a node was opened in this JVM: their classes are loaded. */
  private static final Set<String> LOADED = ConcurrentHashMap.newKeySet();

  private final LockUrl url;
  private final RedisServers servers;
  private final ProviderContext context;
  private final String label;
  private final Described.Description description;

  NodeOpening(String provider, LockUrl url, RedisServers servers, ProviderContext context) {
    this.url = url;
    this.servers = servers;
    this.context = context;
    this.label =
        servers.endpoints().stream()
            .map(Endpoint::toString)
            .collect(Collectors.joining(",", provider + ":" + url.scheme() + "://", ""));
    this.description = new Described.Description(provider, servers.topology().label());
  }

  LockNode open(Supplier<? extends RedisDriver> connector) {
    Options.Layout layout = RedisOptions.layout(url);
    Noticed noticed = new Noticed(label);
    Guard guard = new Guard(url, servers, noticed);
    RedisDriver driver = connector.get();
    Executor background = driver.blocking() ? context.newBlockingExecutor(label) : Runnable::run;
    ServersPort port =
        port(driver, background, new ServerCheck(Script.loadedAtOnce(layout), guard, noticed));
    try {
      LockNode node =
          switch (layout) {
            case DISTLOCK ->
                new RedisLockNode(
                    label, description, port, background, guard, noticed, url, context);
            case REDISSON -> new RedissonNode(label, description, port, background, noticed);
            case SETNX -> new SetnxNode(label, description, port, noticed);
          };
      if (layout != Options.Layout.DISTLOCK && servers.failOver()) {
        noticed.unguarded();
      }
      port.begin();
      if (url.get(Options.CONNECT) == Options.Connect.EAGER) {
        await(port);
      }
      return node;
    } catch (RuntimeException e) {
      port.close();
      throw e;
    }
  }

  private ServersPort port(RedisDriver driver, Executor background, ServerCheck check) {
    Wiring wiring =
        new Wiring(
            driver,
            context,
            background,
            url.get(Options.CONNECT_TIMEOUT),
            url.get(Options.COMMAND_TIMEOUT));
    return switch (servers.topology()) {
      case STANDALONE, FOUND_BY_DRIVER ->
          new ServersPort(driver, OneServer.at(wiring, check, servers.endpoints().get(0)), false);
      case SENTINEL ->
          new ServersPort(
              driver, OneServer.named(wiring, check, new Sentinels(wiring, servers, url)), false);
      case CLUSTER -> new ServersPort(driver, new ClusterServers(wiring, check, servers), true);
    };
  }

  /** Has a server answer; tries again while that may help. */
  private void await(RedisPort port) {
    OpeningTime opening =
        new OpeningTime(context.time()::monotonicNanos, timeoutNanos(), loading());
    Failed failed = ask(port);
    while (failed != null) {
      if (isFinal(failed) || Thread.currentThread().isInterrupted() || opening.isOver()) {
        throw new NodeUnavailableException(label, failed);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
      failed = ask(port);
    }
    LOADED.add(driver());
  }

  /** How many classes the JVM has loaded; or a constant, if the driver's are among them. */
  private LongSupplier loading() {
    return LOADED.contains(driver())
        ? () -> 0
        : ManagementFactory.getClassLoadingMXBean()::getTotalLoadedClassCount;
  }

  private String driver() {
    return description.provider() + ":" + url.scheme();
  }

  private @Nullable Failed ask(RedisPort port) {
    CompletionStage<String> answer = port.info(ANY_KEY);
    try {
      // The port ends each command in time; this is for a port that breaks its contract.
      ServerInfo.parse(answer.toCompletableFuture().get(timeoutNanos(), TimeUnit.NANOSECONDS))
          .identity();
      return null;
    } catch (ExecutionException e) {
      return Failures.of(e.getCause() == null ? e : e.getCause());
    } catch (UnreadableReplyException e) {
      return Failures.of(e);
    } catch (TimeoutException e) {
      return new Failed(FailureKind.TIMEOUT, "no answer within the connect timeout");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Failed(FailureKind.OTHER, "interrupted while connecting");
    }
  }

  private boolean isFinal(Failed failed) {
    return !failed.kind().isTransient()
        || (failed.kind() == FailureKind.READ_ONLY && !servers.failOver());
  }

  private long timeoutNanos() {
    return url.get(Options.CONNECT_TIMEOUT).toNanos();
  }
}
