package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
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
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
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

  /**
   * @param connector opens the port, without connecting
   */
  LockNode open(Function<PortContext, DriverPort> connector) {
    Options.Layout layout = RedisOptions.layout(url);
    Noticed noticed = new Noticed(label);
    Guard guard = new Guard(url, servers, noticed);
    Duration commandTimeout = url.get(Options.COMMAND_TIMEOUT);
    Executor blocking = context.newBlockingExecutor(label);
    CompletableFuture<ServerChecks> begun = new CompletableFuture<>();
    CompletionStage<ServerChecks> doubted = begun;
    DriverPort port =
        connector.apply(
            new PortContext(
                context.scheduler(),
                context.time(),
                blocking,
                url.get(Options.CONNECT_TIMEOUT),
                commandTimeout,
                () -> doubted.thenAccept(ServerChecks::doubt)));
    Executor background = port.blocking() ? blocking : Runnable::run;
    ServerChecks checks =
        new ServerChecks(
            port,
            background,
            Script.loadedAtOnce(layout),
            guard,
            noticed,
            context.scheduler(),
            commandTimeout);
    begun.complete(checks);
    boolean clustered = servers.topology() == RedisServers.Topology.CLUSTER;
    ScriptRunner scripts = new ScriptRunner(port, checks, clustered);
    Servers all =
        new Servers(
            label,
            description,
            noticed,
            port,
            checks,
            scripts,
            new Replication(url, scripts),
            new RecentKeys(clustered),
            context.scheduler(),
            background,
            clustered);
    try {
      LockNode node =
          switch (layout) {
            case DISTLOCK ->
                new RedisLockNode(new Requests(all, guard, url, context), commandTimeout);
            case REDISSON -> new RedissonNode(all);
            case SETNX -> new SetnxNode(all);
          };
      if (layout != Options.Layout.DISTLOCK && servers.failOver()) {
        noticed.unguarded();
      }
      if (url.get(Options.CONNECT) == Options.Connect.EAGER) {
        await(all);
      }
      return node;
    } catch (RuntimeException e) {
      all.close();
      throw e;
    }
  }

  /** Has a server answer; tries again while that may help. */
  private void await(Servers port) {
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

  private @Nullable Failed ask(Servers all) {
    // The port ends each command in time; the bound is for a port that breaks its contract.
    return Stages.await(all.checks().passed(), timeoutNanos())
        .<Optional<Failed>>thenApply(passed -> Optional.empty())
        .exceptionally(error -> Optional.of(Failures.of(error)))
        .toCompletableFuture()
        .join()
        .orElse(null);
  }

  private boolean isFinal(Failed failed) {
    return !failed.kind().isTransient()
        || (failed.kind() == FailureKind.READ_ONLY && !servers.failOver());
  }

  private long timeoutNanos() {
    return url.get(Options.CONNECT_TIMEOUT).toNanos();
  }
}
