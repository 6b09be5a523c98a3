package io.leasehold.testkit;

import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The life of a server that is driven by signals, which a process and a container have in common.
 * What differs is left to the subclass: how to launch, how to signal, where data and log are.
 */
abstract sealed class SignalledServer implements RedisServer
    permits ProcessRedisServer, ContainerRedisServer {

  private static final int PORTS_TO_TRY = 10;
  private static final Duration EXIT_BOUND = Duration.ofSeconds(10);
  private static final Duration REPLY_BOUND = Duration.ofSeconds(5);
  private static final Duration PROBE_BOUND = Duration.ofSeconds(1);

  private final RedisSettings settings;
  private final int port;
  private volatile boolean paused;

  SignalledServer(RedisSettings settings, int port) {
    this.settings = settings;
    this.port = port;
  }

  /** Starts a server; takes another port if somebody was faster to bind the first. */
  static RedisServer start(IntFunction<SignalledServer> serverAtPort) {
    for (int attempt = 1; ; attempt++) {
      SignalledServer server = serverAtPort.apply(FreePorts.candidate());
      try {
        server.launchAndAwaitAnswer();
        return server;
      } catch (RuntimeException e) {
        boolean portTaken = server.log().contains("Failed listening on port");
        server.close();
        if (!portTaken || attempt == PORTS_TO_TRY) {
          throw e;
        }
      }
    }
  }

  /** Starts the server on what data there are. It is not alive before. */
  abstract void launch();

  /** Deletes all data. The server is not alive. */
  abstract void wipe();

  /**
   * Frees everything that the server held outside of the JVM. It is not alive and will not be
   * launched again.
   */
  abstract void release();

  /** Copies all data. The server is not alive, or stopped. */
  abstract Snapshot copyData();

  /** Replaces all data. The server is not alive. */
  abstract void restore(Snapshot snapshot);

  abstract void signal(Signal signal);

  /** Whether a SIGSTOP has taken effect. */
  abstract boolean isStopped();

  /** Whether the server at the other end is this one, and not another that has the port. */
  abstract boolean isThisServer(RespConnection connection);

  RedisSettings settings() {
    return settings;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public Optional<String> password() {
    return settings.password();
  }

  @Override
  public URI uri() {
    String userInfo =
        password()
            .map(
                secret ->
                    ":"
                        + URLEncoder.encode(secret, StandardCharsets.UTF_8).replace("+", "%20")
                        + "@")
            .orElse("");
    return URI.create(
        (settings.tls().isPresent() ? "rediss://" : "redis://") + userInfo + host() + ":" + port);
  }

  @Override
  public void kill() {
    signal(Signal.KILL);
    if (!Patience.await(EXIT_BOUND, () -> !isAlive())) {
      throw new IllegalStateException(this + " is still alive after SIGKILL");
    }
  }

  @Override
  public void pause() {
    pid();
    signal(Signal.STOP);
    if (!Patience.await(EXIT_BOUND, this::isStopped)) {
      throw new IllegalStateException(this + " still runs after SIGSTOP");
    }
    paused = true;
  }

  @Override
  public void resume() {
    pid();
    signal(Signal.CONT);
    paused = false;
  }

  @Override
  public void stop() {
    signal(Signal.TERM);
    // One that is paused would never see the other signal.
    signal(Signal.CONT);
    if (!Patience.await(EXIT_BOUND, () -> !isAlive())) {
      kill();
    }
  }

  @Override
  public void restart(Data data) {
    requirePossible(data);
    kill();
    if (data == Data.LOST) {
      wipe();
    }
    launchAndAwaitAnswer();
  }

  private void requirePossible(Data data) {
    if (data == Data.KEPT && !settings.keepsData()) {
      throw new IllegalStateException(
          this + " was started with appendonly no: a killed server would keep nothing");
    }
    if (data == Data.SAVED && settings.keepsData()) {
      throw new IllegalStateException(
          this + " was started with appendonly yes: it would read that file, not what it saved");
    }
  }

  @Override
  public void save() {
    command("SAVE");
  }

  @Override
  public Snapshot snapshot() {
    if (!isAlive() || paused) {
      return copyData();
    }
    if (!settings.keepsData()) {
      save();
    }
    pause();
    try {
      return copyData();
    } finally {
      resume();
    }
  }

  @Override
  public void restart(Snapshot stale) {
    if (stale.server() != this) {
      throw new IllegalArgumentException(stale + " is not one of " + this);
    }
    kill();
    restore(stale);
    launchAndAwaitAnswer();
  }

  @Override
  public RespConnection connect(Duration replyWithin) {
    RespConnection connection = open(replyWithin);
    try {
      password().ifPresent(secret -> connection.call("AUTH", secret));
      return connection;
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public @Nullable Object command(String... words) {
    try (RespConnection connection = connect(REPLY_BOUND)) {
      return connection.call(words);
    }
  }

  @Override
  public Map<String, String> info(String section) {
    try (RespConnection connection = connect(REPLY_BOUND)) {
      return info(connection, section);
    }
  }

  @Override
  public long calls(String command) {
    // cmdstat_get:calls=3,usec=12,…
    String statistics = info("commandstats").getOrDefault("cmdstat_" + command, "calls=0,");
    return Long.parseLong(statistics.substring("calls=".length(), statistics.indexOf(',')));
  }

  @Override
  public void close() {
    kill();
    release();
  }

  @Override
  public String toString() {
    return "redis at " + host() + ":" + port;
  }

  static Map<String, String> info(RespConnection connection, String section) {
    Map<String, String> fields = new LinkedHashMap<>();
    String.valueOf(connection.call("INFO", section))
        .lines()
        .filter(line -> !line.startsWith("#") && line.indexOf(':') > 0)
        .forEach(
            line ->
                fields.put(
                    line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 1)));
    return fields;
  }

  private RespConnection open(Duration replyWithin) {
    if (settings.tls().isEmpty()) {
      return RespConnection.open(host(), port, replyWithin);
    }
    TestCertificates certificates = TestCertificates.get();
    return RespConnection.open(
        host(), port, replyWithin, certificates.context(certificates.client()));
  }

  private void launchAndAwaitAnswer() {
    paused = false;
    launch();
    Probe probe = new Probe();
    boolean settled =
        Patience.await(settings.answersWithin(), () -> !isAlive() || probe.answers()) && isAlive();
    if (!settled) {
      throw new RedisStartException(
          isAlive()
              ? this
                  + " did not answer within "
                  + settings.answersWithin()
                  + ": "
                  + probe.lastProblem
              : this + " ended at its start",
          log());
    }
  }

  /** Asks whether the server is up, and remembers why it is not. */
  private final class Probe {

    private String lastProblem = "it was not asked";

    boolean answers() {
      try (RespConnection connection = connect(PROBE_BOUND)) {
        connection.call("PING");
        lastProblem = "another server has its port";
        return isThisServer(connection);
      } catch (UncheckedIOException | RedisErrorReply e) {
        lastProblem = String.valueOf(e);
        return false;
      }
    }
  }
}
