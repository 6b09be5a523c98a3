package io.leasehold.redis;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The options that every provider on Redis understands, whichever its driver. */
public final class RedisOptions {

  /** The port of a host that gives none. */
  public static final int DEFAULT_PORT = 6379;

  /** The common option keys; a provider adds its own. */
  public static final Set<OptionKey<?>> COMMON =
      Set.of(
          Options.FENCE_RETENTION,
          Options.LAYOUT,
          Options.GUARD,
          Options.MIN_REPLICAS,
          Options.REPLICA_TIMEOUT,
          Options.CONNECT,
          Options.CONNECT_TIMEOUT,
          Options.CLIENT_NAME,
          Options.MASTER_NAME,
          Options.TLS_CA,
          Options.TLS_VERIFY,
          Options.TLS_CERT,
          Options.TLS_KEY);

  private RedisOptions() {}

  /**
   * The name under which the server shall list the client's connections.
   *
   * @throws InvalidConfigurationException when a server would refuse it
   */
  public static Optional<String> clientName(LockUrl url) {
    Optional<String> name = url.given(Options.CLIENT_NAME);
    if (name.isPresent() && !name.get().matches("[!-~]{1,100}")) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          Options.CLIENT_NAME.name(),
          "The value of the option 'clientName' must be 1 to 100 printable ASCII characters"
              + " without spaces");
    }
    return name;
  }

  /**
   * The layout, with which everything else that the URL asks for can be had.
   *
   * @throws InvalidConfigurationException naming what cannot
   */
  static Options.Layout layout(LockUrl url) {
    Options.Layout layout = url.get(Options.LAYOUT);
    if (layout != Options.Layout.DISTLOCK) {
      if (url.given(Options.GUARD).orElse(false)) {
        throw needsDistlock(
            layout, Options.GUARD, "other users of such locks do not heed it: write guard=off");
      }
      if (url.get(Options.MIN_REPLICAS) > 0) {
        throw needsDistlock(layout, Options.MIN_REPLICAS, "leave the option out");
      }
      if (url.get(Options.FAIR)) {
        throw needsDistlock(layout, Options.FAIR, "there is no line between clients");
      }
    }
    boolean late =
        url.get(Options.REPLICA_TIMEOUT).compareTo(url.get(Options.COMMAND_TIMEOUT)) >= 0;
    if (late && url.get(Options.MIN_REPLICAS) > 0) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          Options.REPLICA_TIMEOUT.name(),
          "The option 'replicaTimeout' must be shorter than 'commandTimeout': replicas are waited"
              + " for within one command");
    }
    return layout;
  }

  private static InvalidConfigurationException needsDistlock(
      Options.Layout layout, OptionKey<?> option, String therefore) {
    return new InvalidConfigurationException(
        ErrorCode.UNSUPPORTED,
        option.name(),
        "The option '%s' cannot be had with layout=%s: %s"
            .formatted(option.name(), layout.name().toLowerCase(Locale.ROOT), therefore));
  }
}
