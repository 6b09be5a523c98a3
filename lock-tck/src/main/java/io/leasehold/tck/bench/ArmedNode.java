package io.leasehold.tck.bench;

import io.leasehold.tck.Offer;
import io.leasehold.tck.Quorum.NodeFaults;

/** Faults of one server of a quorum, of which it is known whether, and how, it is broken now. */
final class ArmedNode implements NodeFaults {
  private final NodeFaults faults;
  private final ArmedNodes all;
  private volatile boolean dead;
  private volatile boolean silent;
  private volatile boolean cutOff;

  ArmedNode(NodeFaults faults, ArmedNodes all) {
    this.faults = faults;
    this.all = all;
  }

  boolean isBroken() {
    return dead || silent || cutOff;
  }

  @Override
  public synchronized void kill() {
    dead = true;
    faults.kill();
  }

  @Override
  public synchronized void restart() {
    all.doubt();
    faults.restart();
    dead = false;
    all.vouchIfWhole();
  }

  @Override
  public synchronized void pause() {
    silent = true;
    faults.pause();
  }

  @Override
  public synchronized void resume() {
    faults.resume();
    silent = false;
    all.vouchIfWhole();
  }

  @Override
  public synchronized void cut() {
    faults.cut();
  }

  @Override
  public synchronized void loseState() {
    all.doubt();
    faults.loseState();
    dead = false;
    all.vouchIfWhole();
  }

  @Override
  public Offer<Runnable> scriptLoss() {
    return faults.scriptLoss();
  }

  @Override
  public synchronized void blackHole() {
    cutOff = true;
    faults.blackHole();
  }

  @Override
  public synchronized void heal() {
    faults.heal();
    cutOff = false;
    all.vouchIfWhole();
  }

  /** Undoes whatever is broken. */
  synchronized void mend() {
    if (cutOff) {
      heal();
    }
    if (silent) {
      resume();
    }
    if (dead) {
      restart();
    }
  }
}
