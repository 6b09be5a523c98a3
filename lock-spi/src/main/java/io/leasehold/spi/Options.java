package io.leasehold.spi;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The option keys that mean the same for every provider. The engine handles those in {@link
 * #ENGINE} itself; the others must be declared by a provider ({@link LockProvider#options()}) that
 * takes them.
 */
public final class Options {

  /** How the lock is laid out on a Redis server. */
  public enum Layout {
    /** The published algorithm: a plain string with an expiry. */
    DISTLOCK,
    /** The hash and the channel of Redisson's {@code RLock}. */
    REDISSON,
    /** The SETNX / GETSET time-stamp lock of older code. */
    SETNX
  }

  /** When connections are made. */
  public enum Connect {
    /** When the client is opened, which fails when there is no server. */
    EAGER,
    /** In the background: a client can be opened before its server is there, and waits for it. */
    LAZY
  }

  /** What is checked of a server's certificate. */
  public enum TlsVerify {
    /** That a trusted authority signed it, for the host that was asked for. */
    FULL,
    /** That a trusted authority signed it, for whichever host. */
    CHAIN,
    /** Nothing: whoever sits on the wire may be the server. */
    OFF
  }

  private static final Duration SHORTEST_LEASE = Duration.ofMillis(10);
  private static final Duration LONGEST_LEASE = Duration.ofDays(1);
  private static final Duration LONGEST_WAIT = Duration.ofDays(365);
  private static final Duration ONE_MILLI = Duration.ofMillis(1);
  private static final Duration ONE_HOUR = Duration.ofHours(1);

  /** How long a lease lasts without renewal. */
  public static final OptionKey<Duration> LEASE_TIME =
      OptionKey.duration(
          "leaseTime", Optional.of(Duration.ofSeconds(30)), SHORTEST_LEASE, LONGEST_LEASE);

  /** The longest lease time that any client of these locks may use. */
  public static final OptionKey<Duration> MAX_LEASE =
      OptionKey.duration(
          "maxLease", Optional.of(Duration.ofSeconds(60)), SHORTEST_LEASE, LONGEST_LEASE);

  /** How long {@code acquire()} waits. */
  public static final OptionKey<Duration> WAIT_TIME =
      OptionKey.duration(
          "waitTime", Optional.of(Duration.ofSeconds(30)), Duration.ZERO, LONGEST_WAIT);

  /** Whether leases are renewed while they are held. */
  public static final OptionKey<Boolean> RENEWAL = OptionKey.flag("renewal", Optional.of(true));

  /** The longest time for which renewal keeps a lease alive; without it there is no such bound. */
  public static final OptionKey<Duration> MAX_HOLD =
      OptionKey.duration("maxHold", Optional.empty(), SHORTEST_LEASE, LONGEST_WAIT);

  /** Put before every lock's name. */
  public static final OptionKey<String> PREFIX = OptionKey.text("prefix", Optional.of(""));

  /** Whether locks are served first come, first served across clients. */
  public static final OptionKey<Boolean> FAIR = OptionKey.flag("fair", Optional.of(false));

  /** How long one command may take. */
  public static final OptionKey<Duration> COMMAND_TIMEOUT =
      OptionKey.duration(
          "commandTimeout", Optional.of(Duration.ofMillis(500)), ONE_MILLI, ONE_HOUR);

  /**
   * How long a fence outlives its last grant. Never less than the span of clocks that a grant
   * accepts (10 s): a fence that dies earlier would let a slow client's proposal go back.
   */
  public static final OptionKey<Duration> FENCE_RETENTION =
      OptionKey.duration(
          "fenceRetention",
          Optional.of(Duration.ofMinutes(10)),
          Duration.ofSeconds(11),
          Duration.ofDays(365));

  /** How the lock is laid out on a Redis server. */
  public static final OptionKey<Layout> LAYOUT =
      OptionKey.choice("layout", Optional.of(Layout.DISTLOCK), Layout.class);

  /** Whether restarts and failovers are guarded against; the default depends on the topology. */
  public static final OptionKey<Boolean> GUARD = OptionKey.flag("guard", Optional.empty());

  /** How many replicas must have a grant before it counts. */
  public static final OptionKey<Integer> MIN_REPLICAS =
      OptionKey.integer("minReplicas", Optional.of(0), 0, 100);

  /** How long to wait for the replicas. */
  public static final OptionKey<Duration> REPLICA_TIMEOUT =
      OptionKey.duration(
          "replicaTimeout", Optional.of(Duration.ofMillis(200)), ONE_MILLI, ONE_HOUR);

  /** How long a quorum waits for one of its nodes. */
  public static final OptionKey<Duration> NODE_TIMEOUT =
      OptionKey.duration("nodeTimeout", Optional.empty(), ONE_MILLI, ONE_HOUR);

  /** How long opening a connection may take. */
  public static final OptionKey<Duration> CONNECT_TIMEOUT =
      OptionKey.duration("connectTimeout", Optional.of(Duration.ofSeconds(2)), ONE_MILLI, ONE_HOUR);

  /** The name under which the server lists this client. */
  public static final OptionKey<String> CLIENT_NAME =
      OptionKey.text("clientName", Optional.empty());

  /** The name of the primary that sentinels watch. */
  public static final OptionKey<String> MASTER_NAME =
      OptionKey.text("masterName", Optional.empty());

  /** When connections are made. */
  public static final OptionKey<Connect> CONNECT =
      OptionKey.choice("connect", Optional.of(Connect.EAGER), Connect.class);

  /** A file of certificates, in PEM form, that are trusted in the place of the JDK's. */
  public static final OptionKey<String> TLS_CA = OptionKey.text("tlsCa", Optional.empty());

  /** What is checked of a server's certificate. */
  public static final OptionKey<TlsVerify> TLS_VERIFY =
      OptionKey.choice("tlsVerify", Optional.of(TlsVerify.FULL), TlsVerify.class);

  /** A file with the client's own certificate, in PEM form. */
  public static final OptionKey<String> TLS_CERT = OptionKey.text("tlsCert", Optional.empty());

  /** A file with the private key of that certificate, in PKCS#8 PEM form, not encrypted. */
  public static final OptionKey<String> TLS_KEY = OptionKey.text("tlsKey", Optional.empty());

  /** The keys that the engine handles, whichever provider serves. */
  public static final Set<OptionKey<?>> ENGINE =
      Set.of(LEASE_TIME, MAX_LEASE, WAIT_TIME, RENEWAL, MAX_HOLD, PREFIX, FAIR, COMMAND_TIMEOUT);

  private static final Map<String, OptionKey<?>> BY_NAME = new LinkedHashMap<>();

  static {
    for (OptionKey<?> key :
        new OptionKey<?>[] {
          LEASE_TIME,
          MAX_LEASE,
          WAIT_TIME,
          RENEWAL,
          MAX_HOLD,
          PREFIX,
          FENCE_RETENTION,
          LAYOUT,
          GUARD,
          FAIR,
          MIN_REPLICAS,
          REPLICA_TIMEOUT,
          NODE_TIMEOUT,
          CONNECT_TIMEOUT,
          COMMAND_TIMEOUT,
          CLIENT_NAME,
          MASTER_NAME,
          CONNECT,
          TLS_CA,
          TLS_VERIFY,
          TLS_CERT,
          TLS_KEY
        }) {
      BY_NAME.put(key.name(), key);
    }
  }

  private Options() {}

  /** The common key with this name. */
  public static Optional<OptionKey<?>> byName(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /**
   * The common key with this name.
   *
   * @throws InvalidConfigurationException naming the key, when there is none
   */
  public static OptionKey<?> required(String name) {
    return byName(name)
        .orElseThrow(
            () ->
                new InvalidConfigurationException(
                    ErrorCode.UNKNOWN_OPTION,
                    name,
                    "Unknown option '"
                        + name
                        + "'. Known options: "
                        + String.join(", ", names())
                        + "; a provider's own begin with its name and a dot"));
  }

  /** The names of all common keys, in the order in which the documentation lists them. */
  public static Set<String> names() {
    return Collections.unmodifiableSet(BY_NAME.keySet());
  }
}
