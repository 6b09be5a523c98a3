package io.leasehold.provider.redlock;

import io.leasehold.spi.Failed;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import io.leasehold.spi.Watch;
import io.leasehold.spi.WatchReply;
import io.leasehold.spi.Watching;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Wake-ups of one lock from all members. One release is heard of from several of them, a moment
 * apart: the first is passed on at once, those that follow closely as one.
 */
final class QuorumWatch implements Watch {
  private static final long CLOSELY_NANOS = 5_000_000L;

  private final Members members;
  private final Scheduler scheduler;
  private final TimeSource time;
  private final Runnable wake;
  private final CompletableFuture<WatchReply> reply = new CompletableFuture<>();

  // Guarded by the monitor.
  private final List<Watch> watches = new ArrayList<>();
  private final Votes<WatchReply> votes;
  private boolean closed;
  private long passedOnNanos;
  private boolean onItsWay;

  private QuorumWatch(Members members, Scheduler scheduler, TimeSource time, Runnable wake) {
    this.members = members;
    this.scheduler = scheduler;
    this.time = time;
    this.wake = wake;
    this.votes = new Votes<>(members.size());
    this.passedOnNanos = time.monotonicNanos() - CLOSELY_NANOS;
  }

  /** Watches on all members; answered once a quorum of them watches, or cannot. */
  static CompletionStage<WatchReply> begin(
      Members members,
      Side side,
      String name,
      Scheduler scheduler,
      TimeSource time,
      Runnable wake) {
    QuorumWatch watch = new QuorumWatch(members, scheduler, time, wake);
    for (Member member : members.all()) {
      member
          .ask(side, node -> node.watch(name, watch::heard), failed -> (WatchReply) failed, false)
          .whenComplete((answer, impossible) -> watch.answered(member, answer));
    }
    return watch.reply;
  }

  private void answered(Member member, WatchReply answer) {
    Watch late = null;
    WatchReply outcome = null;
    synchronized (this) {
      votes.add(member.index(), answer);
      if (answer instanceof Watching watching) {
        if (closed) {
          late = watching.watch();
        } else {
          watches.add(watching.watch());
        }
        outcome = watches.size() >= members.quorum() ? new Watching(this) : null;
      } else if (answer instanceof Failed) {
        outcome =
            votes.count(Failed.class) > members.size() - members.quorum()
                ? Tally.noQuorum(members, votes, "too few nodes can be watched")
                : null;
      }
    }
    if (late != null) {
      late.close();
    }
    if (outcome instanceof Failed) {
      close();
    }
    if (outcome != null) {
      reply.complete(outcome);
    }
  }

  private void heard() {
    long delay;
    synchronized (this) {
      if (closed || onItsWay) {
        return;
      }
      delay = passedOnNanos + CLOSELY_NANOS - time.monotonicNanos();
      onItsWay = delay > 0;
      if (delay <= 0) {
        passedOnNanos = time.monotonicNanos();
      }
    }
    if (delay > 0) {
      scheduler.schedule(this::passOn, delay);
    } else {
      wake.run();
    }
  }

  private void passOn() {
    synchronized (this) {
      onItsWay = false;
      passedOnNanos = time.monotonicNanos();
      if (closed) {
        return;
      }
    }
    wake.run();
  }

  @Override
  public void close() {
    List<Watch> over;
    synchronized (this) {
      closed = true;
      over = List.copyOf(watches);
      watches.clear();
    }
    over.forEach(Watch::close);
  }
}
