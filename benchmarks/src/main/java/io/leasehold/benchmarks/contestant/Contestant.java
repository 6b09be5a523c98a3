package io.leasehold.benchmarks.contestant;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * All who are measured, in the order of a round: each driver of ours runs next to the same driver
 * bare, because their ratio is what counts and the machine is not equally fast all the time.
 */
public enum Contestant {
  JEDIS("Leasehold on Jedis", Kind.OURS),
  BARE_JEDIS("bare Jedis", Kind.BARE, Direct.SET),
  SINGLE_JEDIS("single calls on Jedis", Kind.SINGLE_CALLS),
  LETTUCE("Leasehold on Lettuce", Kind.OURS),
  BARE_LETTUCE("bare Lettuce", Kind.BARE, Direct.SET),
  SINGLE_LETTUCE("single calls on Lettuce", Kind.SINGLE_CALLS),
  VERTX("Leasehold on Vert.x", Kind.OURS),
  BARE_VERTX("bare Vert.x", Kind.BARE, Direct.SET),
  SINGLE_VERTX("single calls on Vert.x", Kind.SINGLE_CALLS),
  REDLOCK("Leasehold Redlock × 5 (Lettuce)", Kind.OURS),
  REDISSON("Redisson RLock", Kind.PEER, Direct.HALF_OF_DEL),
  REDISSON_SPIN("Redisson spin lock", Kind.PEER, Direct.HALF_OF_DEL),
  SPRING("Spring Integration, pub/sub", Kind.PEER),
  SPRING_SPIN("Spring Integration, spin", Kind.PEER),
  SHEDLOCK("ShedLock", Kind.PEER, Direct.SET_AND_DEL),
  UNHEARD("in memory, no listener", Kind.TELEMETRY),
  WITHOUT_SDK("in memory, lock-opentelemetry without an SDK", Kind.TELEMETRY),
  WITH_SDK("in memory, lock-opentelemetry with the SDK", Kind.TELEMETRY);

  /** What a contestant is measured for. */
  public enum Kind {
    /** This library. */
    OURS,
    /** A driver alone: SET NX PX, and a compare-and-delete by EVALSHA. */
    BARE,
    /** A driver that makes one script call after the other: what one hand-over costs at least. */
    SINGLE_CALLS,
    /** Another library. */
    PEER,
    /** This library without a server: what hearing of every call costs. */
    TELEMETRY
  }

  /** What is sent and what scripts call have one name at the server. */
  private enum Direct {
    NOTHING,
    SET,
    SET_AND_DEL,
    /** Each unlock deletes the lock in a script, and then sends a DEL of its own. */
    HALF_OF_DEL
  }

  private final String title;
  private final Kind kind;
  private final Direct direct;

  Contestant(String title, Kind kind) {
    this(title, kind, Direct.NOTHING);
  }

  Contestant(String title, Kind kind, Direct direct) {
    this.title = title;
    this.kind = kind;
    this.direct = direct;
  }

  /** How people name it. */
  public String title() {
    return title;
  }

  /** How options and files name it. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What it is measured for. */
  public Kind kind() {
    return kind;
  }

  /** Whether it is made of several servers. */
  public boolean quorum() {
    return this == REDLOCK;
  }

  /** Whether it can wait for a lock that another holds. */
  public boolean waits() {
    return this != SHEDLOCK && kind != Kind.SINGLE_CALLS && kind != Kind.TELEMETRY;
  }

  /**
   * The commands that this contestant sends itself although scripts may call them, too, with the
   * share of their calls that it sends. A test compares this with what the server sees.
   */
  public Map<String, Double> direct() {
    return switch (direct) {
      case NOTHING -> Map.of();
      case SET -> Map.of("set", 1.0);
      case SET_AND_DEL -> Map.of("set", 1.0, "del", 1.0);
      case HALF_OF_DEL -> Map.of("del", 0.5);
    };
  }

  /** The same driver in another role, if there is one. */
  public Optional<Contestant> as(Kind role) {
    String driver = name().substring(name().indexOf('_') + 1);
    String prefix =
        switch (role) {
          case OURS -> "";
          case BARE -> "BARE_";
          case SINGLE_CALLS -> "SINGLE_";
          case PEER, TELEMETRY -> "-";
        };
    return Arrays.stream(values()).filter(c -> c.name().equals(prefix + driver)).findFirst();
  }

  /** The drivers of ours that talk to one server. */
  public static List<Contestant> drivers() {
    return List.of(JEDIS, LETTUCE, VERTX);
  }

  /** The contestant with that id. */
  public static Contestant of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  /** Connects. */
  public Client open(Place place) {
    int port = place.single();
    return switch (this) {
      case JEDIS, LETTUCE, VERTX -> Ours.open(Ours.url(id(), port));
      case REDLOCK -> Ours.open(Ours.redlock("lettuce", place.quorum()));
      case BARE_JEDIS -> new BareLocks(new BareJedis(port));
      case BARE_LETTUCE -> new BareLocks(new BareLettuce(port));
      case BARE_VERTX -> new BareLocks(new BareVertx(port));
      case SINGLE_JEDIS -> new SingleCalls(new BareJedis(port));
      case SINGLE_LETTUCE -> new SingleCalls(new BareLettuce(port));
      case SINGLE_VERTX -> new SingleCalls(new BareVertx(port));
      case REDISSON -> new Redissons(port, Redissons.Mode.PUBSUB);
      case REDISSON_SPIN -> new Redissons(port, Redissons.Mode.SPIN);
      case SPRING -> SpringLocks.pubSub(port);
      case SPRING_SPIN -> SpringLocks.spin(port);
      case SHEDLOCK -> new ShedLocks(port);
      case UNHEARD -> Telemetry.none();
      case WITHOUT_SDK -> Telemetry.noop();
      case WITH_SDK -> Telemetry.sdk();
    };
  }
}
