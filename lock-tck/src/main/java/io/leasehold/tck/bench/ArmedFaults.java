package io.leasehold.tck.bench;

import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;

/** Faults that heal when the check has ended, however it ended. */
final class ArmedFaults implements Faults, AutoCloseable {
  private final Faults faults;
  private boolean dead;
  private boolean silent;

  ArmedFaults(Faults faults) {
    this.faults = faults;
  }

  @Override
  public synchronized void kill() {
    dead = true;
    faults.kill();
  }

  @Override
  public synchronized void restart() {
    faults.restart();
    dead = false;
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
  }

  @Override
  public synchronized void cut() {
    faults.cut();
  }

  @Override
  public synchronized void loseState() {
    faults.loseState();
    dead = false;
  }

  @Override
  public Offer<Runnable> scriptLoss() {
    return faults.scriptLoss();
  }

  @Override
  public synchronized void close() {
    if (silent) {
      resume();
    }
    if (dead) {
      restart();
    }
  }
}
