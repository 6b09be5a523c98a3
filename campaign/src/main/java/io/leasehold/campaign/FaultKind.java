package io.leasehold.campaign;

import java.util.Locale;

/** What can be done to servers, to the network between, and to the clients. */
enum FaultKind {
  /** SIGKILL; later the server comes back with its data. */
  KILL(Track.LIFE, 0, 2_500, true),
  /** SIGKILL; later the server comes back with nothing. */
  RESTART_EMPTY(Track.LIFE, 0, 1_500, true),
  /** The server comes back with data of some seconds ago, as from a backup. */
  STALE_SNAPSHOT(Track.LIFE, 1_000, 4_000, true),
  /** SIGKILL; the end of the append-only file is missing, as after a loss of power. */
  TRUNCATED_AOF(Track.LIFE, 0, 500, true),
  /** SIGSTOP, and SIGCONT. */
  PAUSE_SERVER(Track.LIFE, 100, 2_500, false),
  /** An orderly change of the master. */
  FAILOVER(Track.LIFE, 0, 0, true),
  /** A replica takes over without asking its master. */
  TAKEOVER(Track.LIFE, 0, 0, true),
  /** The master is killed and comes back only when another one has taken its place. */
  KILL_MASTER(Track.LIFE, 0, 1_000, true),
  /** A slot with its locks moves to another master. */
  MOVE_SLOT(Track.LIFE, 0, 400, false),
  /** SIGSTOP of one sentinel. */
  PAUSE_SENTINEL(Track.LIFE, 500, 4_000, false),

  /** All connections of a server are reset. */
  CUT(Track.SIDE, 0, 0, false),
  /** All connections of a server end in order. */
  CUT_ORDERLY(Track.SIDE, 0, 0, false),
  /** One direction of all connections ends. */
  HALF_CLOSE(Track.SIDE, 0, 0, false),
  /** The way is long. */
  DELAY(Track.SIDE, 300, 2_500, false),
  /** Nothing passes. */
  BLACK_HOLE(Track.SIDE, 200, 3_000, false),
  /** Requests arrive and replies do not. */
  BLACK_HOLE_REPLIES(Track.SIDE, 200, 2_000, false),
  /** A reply is lost with its connection: the server has acted, and the client cannot know. */
  DROP_REPLY(Track.SIDE, 0, 200, false),
  /** SCRIPT FLUSH. */
  SCRIPT_FLUSH(Track.SIDE, 0, 0, false),
  /** CLIENT KILL, of callers and listeners. */
  CLIENT_KILL(Track.SIDE, 0, 0, false),
  /** CLIENT PAUSE, of everybody. */
  CLIENT_PAUSE(Track.SIDE, 100, 2_000, false),
  /** {@code maxmemory} is reached, and the server evicts nothing. */
  MEMORY_FULL(Track.SIDE, 300, 2_500, false),
  /** The server may evict, but has no need to; whoever connects must refuse it. */
  EVICTING_POLICY(Track.SIDE, 300, 1_500, false),
  /** SIGSTOP of a client process, mostly past its leases. */
  PAUSE_CLIENT(Track.SIDE, 300, 6_000, false),
  /** SIGKILL of a client process; another one takes its place. */
  KILL_CLIENT(Track.SIDE, 0, 1_000, false),
  /** The wall clock of a client process is set ahead. */
  CLIENT_CLOCK_FORWARD(Track.SIDE, 500, 4_000, false),
  /** The wall clock of a client process is set back. */
  CLIENT_CLOCK_BACK(Track.SIDE, 500, 4_000, false),
  /** The wall clock of a server is set ahead, and back again. Outside the promise of exclusion. */
  SERVER_CLOCK_FORWARD(Track.SIDE, 500, 4_000, false),
  /** The wall clock of a server is set back, and ahead again. Outside the promise of exclusion. */
  SERVER_CLOCK_BACK(Track.SIDE, 500, 4_000, false);

  /** Faults of one track come one after the other; the tracks do not know of each other. */
  enum Track {
    /** What starts, stops and moves servers. */
    LIFE,
    /** Everything beside that: the network, commands, client processes. */
    SIDE
  }

  private final Track track;
  private final int shortest;
  private final int longest;
  private final boolean costly;

  FaultKind(Track track, int shortest, int longest, boolean costly) {
    this.track = track;
    this.shortest = shortest;
    this.longest = longest;
    this.costly = costly;
  }

  /** The name in results, for example {@code restart-empty}. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Track track() {
    return track;
  }

  /** The shortest time until it is healed, in milliseconds. */
  int shortest() {
    return shortest;
  }

  /** The longest one. */
  int longest() {
    return longest;
  }

  /** Whether a guarded server grants nothing for a quarantine after it. */
  boolean costly() {
    return costly;
  }
}
