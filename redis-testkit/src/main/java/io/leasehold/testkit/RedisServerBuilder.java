package io.leasehold.testkit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Collects what a server is started with. Each {@link #start()} starts another server. Not
 * thread-safe.
 */
public final class RedisServerBuilder {

  private final List<String> args = new ArrayList<>();
  private final List<String> config = new ArrayList<>();
  private Optional<String> password = Optional.empty();
  private Duration answersWithin = Duration.ofSeconds(20);
  private Optional<RedisVersion> version = Optional.empty();
  private Optional<ServerTls> tls = Optional.empty();

  RedisServerBuilder() {}

  /**
   * Adds command-line arguments, e.g. {@code "--maxmemory", "10mb"}; they win over everything else.
   */
  public RedisServerBuilder args(String... more) {
    args.addAll(List.of(more));
    return this;
  }

  /**
   * Adds lines to the server's configuration file, after the testkit's own. The server may rewrite
   * that file.
   */
  public RedisServerBuilder config(String... lines) {
    config.addAll(List.of(lines));
    return this;
  }

  /**
   * Makes the server ask for this password, also from the replicas and the master that it may have.
   */
  public RedisServerBuilder password(String secret) {
    password = Optional.of(secret);
    return this;
  }

  /** Adds a user who may do everything; his name and secret have to be shown together. */
  public RedisServerBuilder user(String name, String secret) {
    return config("user " + name + " on #" + sha256(secret) + " ~* &* +@all");
  }

  /** When the server writes down what it stores; append-only unless said otherwise. */
  public RedisServerBuilder persistence(Persistence kind) {
    return config(
        switch (kind) {
          case APPEND_ONLY -> "appendonly yes";
          case ON_SAVE -> "appendonly no";
        });
  }

  /** Takes this version; 7.0 unless said otherwise, or 6.2 with TLS. */
  public RedisServerBuilder version(RedisVersion wanted) {
    version = Optional.of(wanted);
    return this;
  }

  /** Makes the server speak TLS and nothing else, also to its replicas, master and peers. */
  public RedisServerBuilder tls(ServerTls how) {
    tls = Optional.of(how);
    return this;
  }

  /** How long to wait for the first answer after a start; 20 seconds unless said otherwise. */
  public RedisServerBuilder answersWithin(Duration bound) {
    answersWithin = bound;
    return this;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @throws RedisStartException if it does not; the message ends with the tail of the server's log
   * @throws IllegalStateException if there is no binary for this platform, or the wanted version
   *     cannot do TLS, or if a container was asked for and no Docker engine answers
   */
  public RedisServer start() {
    return ServerChoice.start(settings());
  }

  RedisSettings settings() {
    return new RedisSettings(args, config, password, answersWithin, version, tls);
  }

  private static String sha256(String secret) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }
}
