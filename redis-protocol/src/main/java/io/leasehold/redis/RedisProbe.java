package io.leasehold.redis;

import io.leasehold.spi.LockUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
  /** A channel that nobody else uses, and that every login of a lock client may listen to. */
  private static final byte[] CHANNEL = "leasehold:wake:probe".getBytes(StandardCharsets.US_ASCII);

  private static final long SLACK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final RedisServers servers;
  private final ConnectionSettings settings;
  private final Guard guard;
  private final RedisDriver driver;
  private final Map<Endpoint, RedisChannel> channels = new ConcurrentHashMap<>();

  RedisProbe(LockUrl url, RedisServers servers, ConnectionSettings settings, RedisDriver driver) {
    this.servers = servers;
    this.settings = settings;
    this.guard = new Guard(url, servers, new Noticed(url.scheme()));
    this.driver = driver;
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
   * Sends commands to a server, on one connection, and returns the replies as {@link RedisChannel}
   * describes them; an error is a {@link RedisErrorReply} in its place. A sentinel that wants a
   * login gets the URL's.
   */
  public List<Object> ask(Endpoint server, List<RedisCommand> commands) {
    List<Object> replies = send(server, commands);
    boolean refused =
        server.kind() == Endpoint.Kind.SENTINEL
            && replies.get(0) instanceof RedisErrorReply error
            && error.code().equals("NOAUTH");
    Optional<RedisCommand> login =
        settings.password().map(secret -> ConnectionSettings.login(settings.user(), secret));
    if (!refused || login.isEmpty()) {
      return replies;
    }
    List<RedisCommand> both = new ArrayList<>(List.of(login.get()));
    both.addAll(commands);
    return send(server, both).subList(1, both.size());
  }

  /** As {@link #ask(Endpoint, List)}, for one command. */
  public @Nullable Object ask(Endpoint server, String command, Object... args) {
    return ask(server, List.of(RedisCommand.of(command, args))).get(0);
  }

  /** Listens to a channel for a moment, as a client does that waits for a lock. */
  public void listen(Endpoint server) {
    RedisListening.Events nothing =
        new RedisListening.Events() {
          @Override
          public void message(byte[] payload) {}

          @Override
          public void broken() {}
        };
    await(driver.listen(server, CHANNEL, nothing), settings.connectTimeout()).close();
  }

  /** Closes all connections. */
  @Override
  public void close() {
    channels.values().forEach(RedisChannel::close);
    driver.close();
  }

  private List<Object> send(Endpoint server, List<RedisCommand> commands) {
    RedisChannel channel = channels.get(server);
    if (channel == null) {
      channel =
          await(driver.open(server, () -> channels.remove(server)), settings.connectTimeout());
      channels.put(server, channel);
    }
    try {
      return await(channel.send(commands, settings.commandTimeout()), settings.commandTimeout());
    } catch (RedisConnectionFailure e) {
      channels.remove(server, channel);
      channel.close();
      throw e;
    }
  }

  private static <T> T await(CompletionStage<T> stage, Duration within) {
    try {
      // The driver bounds a command itself, if it blocks; the slack is for one that just does.
      return stage.toCompletableFuture().get(within.toNanos() + SLACK_NANOS, TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw Stages.reason(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      throw RedisConnectionFailure.timeout(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw RedisConnectionFailure.unreachable("interrupted", e);
    }
  }
}
