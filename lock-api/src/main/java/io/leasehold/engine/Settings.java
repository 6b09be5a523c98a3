package io.leasehold.engine;

import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.Optional;

/** What the URL of a client says to the engine, checked as a whole. */
public record Settings(
    Duration leaseTime,
    Duration maxLease,
    Duration waitTime,
    boolean renewal,
    Optional<Duration> maxHold,
    String prefix,
    boolean fair,
    Duration commandTimeout,
    boolean lazy) {

  /** Reads and checks the settings. */
  public static Settings from(LockUrl url) {
    Settings settings =
        new Settings(
            url.get(Options.LEASE_TIME),
            url.get(Options.MAX_LEASE),
            url.get(Options.WAIT_TIME),
            url.get(Options.RENEWAL),
            url.given(Options.MAX_HOLD),
            url.get(Options.PREFIX),
            url.get(Options.FAIR),
            url.get(Options.COMMAND_TIMEOUT),
            url.get(Options.CONNECT) == Options.Connect.LAZY);
    settings.resolve(LockOptions.defaults());
    return settings;
  }

  /** The terms of a lock with these options. */
  Terms resolve(LockOptions options) {
    Duration lease = options.leaseTime().orElse(leaseTime);
    Duration shortest = Duration.ofMillis(10);
    if (lease.compareTo(shortest) < 0 || lease.compareTo(maxLease) > 0) {
      throw new LockConfigurationException(
          ErrorCode.BAD_VALUE,
          "leaseTime",
          "leaseTime must lie between 10 ms and maxLease ("
              + maxLease.toMillis()
              + " ms), and is "
              + shown(lease));
    }
    Optional<Duration> hold = options.maxHold().or(() -> maxHold);
    if (hold.isPresent() && hold.get().compareTo(shortest) < 0) {
      throw new LockConfigurationException(
          ErrorCode.BAD_VALUE, "maxHold", "maxHold must be at least 10 ms");
    }
    return new Terms(
        lease.toMillis(),
        Nanos.of(options.waitTime().orElse(waitTime)),
        options.renewal().orElse(renewal),
        hold.map(Nanos::of).orElse(Terms.NO_MAX_HOLD),
        options.fair().orElse(fair));
  }

  private static String shown(Duration duration) {
    try {
      return duration.toMillis() + " ms";
    } catch (ArithmeticException e) {
      return "longer than can be told";
    }
  }
}
