package io.leasehold.campaign;

import io.leasehold.campaign.FaultKind.Track;
import io.leasehold.tck.history.FaultMark;
import io.leasehold.tck.history.HistoryRecorder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Carries out a plan, each track on a thread of its own, and counts what took effect. */
final class Nemesis {
  /** What is done to client processes; possible everywhere. */
  static final Set<FaultKind> ON_CLIENTS =
      Set.of(
          FaultKind.PAUSE_CLIENT,
          FaultKind.KILL_CLIENT,
          FaultKind.CLIENT_CLOCK_FORWARD,
          FaultKind.CLIENT_CLOCK_BACK);

  private static final Duration HEALED_WITHIN = Duration.ofSeconds(60);

  private final Topology topology;
  private final Workers workers;
  private final HistoryRecorder recorder;
  private final Map<String, Long> done = new TreeMap<>();
  private final List<String> failed = new ArrayList<>();

  Nemesis(Topology topology, Workers workers, HistoryRecorder recorder) {
    this.topology = topology;
    this.workers = workers;
    this.recorder = recorder;
  }

  /** Does all of it, and heals all of it. */
  void carryOut(Plan plan) throws InterruptedException {
    long start = System.nanoTime();
    List<Thread> tracks = new ArrayList<>();
    for (Track track : Track.values()) {
      Thread thread =
          new Thread(() -> carryOut(plan.of(track), start, plan.length()), "nemesis-" + track);
      thread.start();
      tracks.add(thread);
    }
    for (Thread thread : tracks) {
      thread.join();
    }
    sleepUntil(start, plan.length().toMillis());
  }

  /** How many of each kind took effect. */
  synchronized Map<String, Long> done() {
    return new TreeMap<>(done);
  }

  /** Which ones did not, and why: mostly because of another fault at the same time. */
  synchronized List<String> failed() {
    return List.copyOf(failed);
  }

  private void carryOut(List<PlannedFault> faults, long start, Duration length) {
    try {
      for (PlannedFault fault : faults) {
        // A fault that took longer than planned, as an election may, moves the later ones.
        if (System.nanoTime() - start > length.toNanos()) {
          return;
        }
        sleepUntil(start, fault.atMillis());
        carryOut(fault);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void carryOut(PlannedFault fault) throws InterruptedException {
    Attack attack;
    try {
      attack = ON_CLIENTS.contains(fault.kind()) ? workers.aim(fault) : topology.aim(fault);
    } catch (RuntimeException e) {
      failed(fault, e);
      return;
    }
    // The mark first: what a history shows must not come before it.
    FaultMark mark = recorder.fault(fault.kind().id(), attack.target());
    try {
      strike(fault, attack);
    } finally {
      mark.close();
    }
  }

  private void strike(PlannedFault fault, Attack attack) throws InterruptedException {
    Runnable heal;
    try {
      heal = attack.strike().begin();
    } catch (RuntimeException e) {
      failed(fault, e);
      return;
    }
    synchronized (this) {
      done.merge(fault.kind().id(), 1L, Long::sum);
    }
    TimeUnit.MILLISECONDS.sleep(fault.forMillis());
    try {
      Patience.retry("heal " + fault.kind().id(), HEALED_WITHIN, heal);
    } catch (IllegalStateException e) {
      failed(fault, e);
    }
  }

  private synchronized void failed(PlannedFault fault, RuntimeException why) {
    failed.add(
        fault.kind().id() + ": " + why + (why.getCause() == null ? "" : " " + why.getCause()));
  }

  private static void sleepUntil(long start, long atMillis) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(atMillis) - (System.nanoTime() - start);
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
  }
}
