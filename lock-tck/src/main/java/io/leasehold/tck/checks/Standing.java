package io.leasehold.tck.checks;

import io.leasehold.spi.Busy;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Left;
import io.leasehold.spi.Watching;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.SyncNode;
import io.leasehold.tck.bench.Waiting;
import java.time.Duration;

/**
 * One place in a fair line, of a client that can be reached, and does nothing by itself. It stands
 * there from its first question on.
 */
final class Standing {
  private static final Duration TTL = Duration.ofSeconds(30);

  /** For what is no promise: the first subscription of a client on a machine that is busy. */
  private static final Duration PREPARATION = Duration.ofSeconds(8);

  private final SyncNode node;
  private final String name;
  private final String owner;
  private final String place;

  private Standing(SyncNode node, String name, String owner, String place) {
    this.node = node;
    this.name = name;
    this.owner = owner;
    this.place = place;
  }

  /** A place for a client, by its raw node, in the line for a lock. */
  static Standing of(Bench bench, SyncNode node, String name, String place)
      throws InterruptedException {
    Waiting.until(
        "a node can be watched", PREPARATION, () -> node.watch(name, () -> {}) instanceof Watching);
    return new Standing(node, name, bench.owner(), place);
  }

  /** Asks, and must be told to wait; it stands in line then. */
  void expectBusy(String who) throws InterruptedException {
    GrantReply reply = ask();
    Expect.type(Busy.class, reply, "the reply to " + who);
  }

  /** Asks, and must be served. */
  void expectGranted(String who) throws InterruptedException {
    GrantReply reply = ask();
    Expect.type(Granted.class, reply, "the reply to " + who);
  }

  private GrantReply ask() throws InterruptedException {
    return node.fair(name, owner, TTL, place);
  }

  void release() throws InterruptedException {
    node.release(name, owner);
  }

  void leave() throws InterruptedException {
    Expect.type(Left.class, node.leave(name, place), "the reply to leaving a fair line");
  }
}
