package io.leasehold.redis;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.Identity;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Opens a node: checks the URL, connects within the connect timeout, then loads all scripts and
 * looks at the server, for which it has as long again. What fails leaves nothing behind.
 */
final class NodeOpening {
  /** For what is asked of a server and not of a lock: any key will do. */
  static final byte[] ANY_KEY = "leasehold".getBytes(StandardCharsets.US_ASCII);

  private static final Set<FailureKind> SILENCE =
      Set.of(FailureKind.TIMEOUT, FailureKind.CONNECTION_LOST, FailureKind.UNREACHABLE);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final Logger LOGGER = System.getLogger("io.leasehold.redis");

  private final LockUrl url;
  private final ProviderContext context;
  private final String label;

  NodeOpening(String provider, LockUrl url, ProviderContext context) {
    this.url = url;
    this.context = context;
    this.label = label(provider, url);
  }

  RedisLockNode open(Supplier<? extends RedisPort> connector) {
    RedisOptions.checkLayout(url);
    RedisPort port;
    try {
      port = connector.get();
    } catch (RedisConnectionFailure | RedisErrorReply e) {
      throw new NodeUnavailableException(label, Failures.of(e));
    }
    try {
      check(prepare(port));
      return new RedisLockNode(label, port, url, context);
    } catch (RuntimeException e) {
      port.close();
      throw e;
    }
  }

  /** Loads all scripts and looks at the server; tries again while it is only silent. */
  private ServerInfo prepare(RedisPort port) {
    long deadline = context.time().monotonicNanos() + timeoutNanos();
    while (true) {
      try {
        return attempt(port);
      } catch (NodeUnavailableException e) {
        // A JVM that has just started may spend a whole command timeout on loading classes.
        if (!SILENCE.contains(e.kind())
            || Thread.currentThread().isInterrupted()
            || context.time().monotonicNanos() - deadline >= 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private ServerInfo attempt(RedisPort port) {
    // Both are sent before either is waited for: one round trip where the driver can.
    CompletionStage<?> loaded =
        port.load(ANY_KEY, Arrays.stream(Script.values()).map(Script::source).toList());
    CompletionStage<String> asked = port.info(ANY_KEY);
    try {
      await(loaded);
      return ServerInfo.parse(await(asked));
    } catch (ExecutionException e) {
      throw unavailable(Failures.of(e.getCause() == null ? e : e.getCause()));
    } catch (TimeoutException e) {
      throw unavailable(new Failed(FailureKind.TIMEOUT, "no answer within the connect timeout"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(new Failed(FailureKind.OTHER, "interrupted while connecting"));
    }
  }

  private void check(ServerInfo info) {
    Identity identity;
    try {
      identity = info.identity();
    } catch (UnreadableReplyException e) {
      throw unavailable(Failures.of(e));
    }
    if (identity.role() == Identity.Role.REPLICA) {
      throw unavailable(
          new Failed(
              FailureKind.READ_ONLY,
              "the server is a replica: locks must be kept on the primary, use its address"));
    }
    if (info.mayEvict()) {
      LOGGER.log(
          Level.WARNING,
          "LH-201 {0} may drop locks: maxmemory is set with an eviction policy. Set"
              + " maxmemory-policy to noeviction on the server that keeps locks.",
          label);
    }
  }

  private <T> T await(CompletionStage<T> stage)
      throws ExecutionException, TimeoutException, InterruptedException {
    // The port ends each command in time; this is for a port that breaks its contract.
    return stage.toCompletableFuture().get(timeoutNanos(), TimeUnit.NANOSECONDS);
  }

  private long timeoutNanos() {
    return url.get(Options.CONNECT_TIMEOUT).toNanos();
  }

  private NodeUnavailableException unavailable(Failed failed) {
    return new NodeUnavailableException(label, failed);
  }

  private static String label(String provider, LockUrl url) {
    return url.hosts().stream()
        .map(
            host ->
                new HostAndPort(host.host(), OptionalInt.of(host.portOr(RedisOptions.DEFAULT_PORT)))
                    .toString())
        .collect(Collectors.joining(",", provider + ":" + url.scheme() + "://", ""));
  }
}
