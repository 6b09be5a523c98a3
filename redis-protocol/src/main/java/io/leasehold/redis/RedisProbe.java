package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.redis.driver.PortContext;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Questions to the servers of a URL, over connections like those of a lock client: the same driver,
 * login, encryption and timeouts. For tools that look at a deployment; it takes no lock, and a
 * server that a lock client would refuse is asked all the same. Made by {@link
 * RedisLockProvider#probe}.
 *
 * <p>For one thread at a time. Every method blocks, for the URL's connect and command timeouts at
 * most, and throws {@link RedisErrorReply} when the server refuses the connection, and {@link
 * RedisConnectionFailure} when it cannot be reached or does not answer.
 */
public final class RedisProbe implements AutoCloseable {
  /** A channel without other users, that every login of a lock client may listen to. */
  private static final byte[] CHANNEL = "leasehold:wake:probe".getBytes(StandardCharsets.US_ASCII);

  private final RedisLockProvider provider;
  private final LockUrl url;
  private final RedisServers servers;
  private final ConnectionSettings settings;
  private final Guard guard;
  private final ExecutorService background =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "leasehold-probe");
            thread.setDaemon(true);
            return thread;
          });
  private final Map<Endpoint, DriverPort> ports = new HashMap<>();

  RedisProbe(RedisLockProvider provider, LockUrl url) {
    this.provider = provider;
    this.url = url;
    this.servers = RedisServers.of(url);
    this.settings = ConnectionSettings.of(url);
    this.guard = new Guard(url, servers, new Noticed(url.scheme()));
  }

  /** Where the URL says that the servers, or those who know them, are. */
  public RedisServers servers() {
    return servers;
  }

  /** How connections are made. */
  public ConnectionSettings settings() {
    return settings;
  }

  /** Whether clients of the URL have the guard on. */
  public boolean guarded() {
    return guard.isOn();
  }

  /**
   * For how long a server that may have lost leases grants nothing to clients of the URL.
   *
   * @param toWrite the server's {@code min-replicas-to-write}; -1 when it is not known
   * @param maxLag its {@code min-replicas-max-lag}, in seconds; -1 when it is not known
   */
  public Duration quarantine(long toWrite, long maxLag) {
    return guard.quarantine(toWrite, maxLag);
  }

  /**
   * Sends commands to a server, on one connection, and returns the replies as {@link DriverPort}
   * describes them; an error is a {@link RedisErrorReply} in its place. A sentinel that wants a
   * login gets the URL's.
   */
  public List<Object> ask(Endpoint server, List<RedisCommand> commands) {
    List<Object> replies = send(server, commands);
    if (server.kind() == Endpoint.Kind.DATA
        || !(replies.get(0) instanceof RedisErrorReply error && error.code().equals("NOAUTH"))
        || settings.password().isEmpty()) {
      return replies;
    }
    List<Object> login = new ArrayList<>();
    settings.user().ifPresent(login::add);
    login.add(settings.password().get().reveal());
    List<RedisCommand> all = new ArrayList<>(commands);
    all.add(0, RedisCommand.of("AUTH", login.toArray()));
    return send(server, all).subList(1, all.size());
  }

  /** As {@link #ask(Endpoint, List)}, for one command. */
  public @Nullable Object ask(Endpoint server, String command, Object... args) {
    return ask(server, List.of(RedisCommand.of(command, args))).get(0);
  }

  /** Subscribes to a channel for a moment, as a client does that waits for a lock. */
  public void listen(Endpoint server) {
    DriverPort.Subscriber nothing =
        new DriverPort.Subscriber() {
          @Override
          public void message(byte[] payload) {}

          @Override
          public void interrupted() {}
        };
    DriverPort port = port(server);
    answered(
        server,
        () -> port.subscribe(NodeOpening.ANY_KEY, CHANNEL, nothing).thenApply(confirmed -> true));
    port.unsubscribe(nothing);
  }

  /** Closes all connections. */
  @Override
  public void close() {
    List.copyOf(ports.keySet()).forEach(this::close);
    background.shutdown();
  }

  private void close(Endpoint server) {
    DriverPort port = ports.remove(server);
    if (port != null) {
      port.close();
    }
  }

  private DriverPort port(Endpoint server) {
    ConnectionSettings with =
        server.kind() == Endpoint.Kind.DATA ? settings : settings.withoutLogin();
    return ports.computeIfAbsent(
        server, unseen -> provider.open(url, RedisServers.one(server), with, context()));
  }

  private PortContext context() {
    Scheduler scheduler =
        (task, delay) -> {
          Future<?> scheduled =
              CompletableFuture.runAsync(
                  task, CompletableFuture.delayedExecutor(delay, TimeUnit.NANOSECONDS));
          return () -> scheduled.cancel(false);
        };
    return new PortContext(
        scheduler,
        TimeSource.system(),
        background,
        settings.connectTimeout(),
        settings.commandTimeout(),
        () -> {});
  }

  private List<Object> send(Endpoint server, List<RedisCommand> commands) {
    DriverPort port = port(server);
    return answered(server, () -> port.sendAlone(NodeOpening.ANY_KEY, commands));
  }

  /**
   * Waits for an answer. A port ends each call within the command timeout, also while it makes its
   * first connection, which may take the connect timeout: then it is called again.
   */
  private <T> T answered(Endpoint server, Supplier<CompletionStage<T>> call) {
    long command = settings.commandTimeout().toNanos();
    long connect = settings.connectTimeout().toNanos();
    long begun = System.nanoTime();
    while (true) {
      long sent = System.nanoTime();
      try {
        return Stages.await(call.get(), connect + command).toCompletableFuture().join();
      } catch (CompletionException e) {
        RuntimeException reason = Stages.reason(e);
        boolean connecting =
            reason instanceof RedisConnectionFailure failure
                && failure.kind() == FailureKind.UNREACHABLE
                && System.nanoTime() - sent >= command;
        if (!connecting || System.nanoTime() - begun >= connect) {
          if (reason instanceof RedisConnectionFailure) {
            close(server);
          }
          throw reason;
        }
      }
    }
  }
}
