package io.leasehold.tck.bench;

import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;

/**
 * Faults that heal when the check has ended, however it ended. Servers that are new processes are
 * vouched for, at once or, when the check wants to see them guarded, in the end.
 */
final class ArmedFaults implements Faults, AutoCloseable {
  private final Faults faults;
  private final Voucher voucher;
  private boolean dead;
  private boolean silent;
  private boolean doubtful;

  ArmedFaults(Faults faults, Voucher voucher) {
    this.faults = faults;
    this.voucher = voucher;
  }

  @Override
  public synchronized void kill() {
    dead = true;
    faults.kill();
  }

  @Override
  public synchronized void restart() {
    restartWithoutVouching();
    vouch();
  }

  synchronized void restartWithoutVouching() {
    doubtful = true;
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
    loseStateWithoutVouching();
    vouch();
  }

  synchronized void loseStateWithoutVouching() {
    doubtful = true;
    faults.loseState();
    dead = false;
  }

  @Override
  public Offer<Runnable> scriptLoss() {
    return faults.scriptLoss();
  }

  synchronized void vouch() {
    voucher.vouchOrThrow();
    doubtful = false;
  }

  @Override
  public synchronized void close() {
    if (silent) {
      resume();
    }
    if (dead) {
      restart();
    }
    if (doubtful) {
      vouch();
    }
  }
}
