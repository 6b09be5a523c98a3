package io.leasehold.testkit;

import java.time.Duration;
import java.util.ArrayList;
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

  /** How long to wait for the first answer after a start; 20 seconds unless said otherwise. */
  public RedisServerBuilder answersWithin(Duration bound) {
    answersWithin = bound;
    return this;
  }

  /**
   * Starts a server and waits until it answers.
   *
   * @throws RedisStartException if it does not; the message ends with the tail of the server's log
   * @throws IllegalStateException if there is no binary for this platform, or if a container was
   *     asked for and no Docker engine answers
   */
  public RedisServer start() {
    return ServerChoice.start(new RedisSettings(args, config, password, answersWithin));
  }
}
