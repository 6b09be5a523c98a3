package io.leasehold.tck.toy;

import io.leasehold.tck.Offer;
import io.leasehold.tck.Quorum.NodeFaults;
import java.util.ArrayList;
import java.util.List;

/** Whether the toy server answers, and what it does with what it gets while it does not. */
public final class ToyFaults implements NodeFaults {
  private final ToyServer server;
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean dead;
  private boolean silent;
  private boolean cutOff;
  private Runnable atRestart = () -> {};
  private int process = 1;
  private int connections = 1;
  private int scripts = 1;

  ToyFaults(ToyServer server) {
    this.server = server;
  }

  /** The running process; a new number after each restart. */
  public synchronized int process() {
    return process;
  }

  /** Changes whenever every connection was broken. */
  public synchronized int connections() {
    return connections;
  }

  /** Changes whenever the scripts were forgotten. */
  public synchronized int scripts() {
    return scripts;
  }

  /** Does something to the server's data whenever it is restarted. */
  public synchronized void atRestart(Runnable loss) {
    atRestart = loss;
  }

  synchronized boolean isDead() {
    return dead;
  }

  /**
   * Keeps the work until the server answers again, or loses it in the network; false when it
   * answers now.
   */
  synchronized boolean keep(Runnable work) {
    if (silent && !cutOff) {
      waiting.add(work);
    }
    return silent || cutOff;
  }

  @Override
  public synchronized void kill() {
    dead = true;
    connections++;
    waiting.clear();
  }

  @Override
  public synchronized void restart() {
    dead = false;
    atRestart.run();
    process++;
    server.guard().beginLife();
    connections++;
    scripts++;
    waiting.clear();
  }

  @Override
  public synchronized void pause() {
    silent = true;
  }

  @Override
  public void resume() {
    List<Runnable> late;
    synchronized (this) {
      silent = false;
      late = List.copyOf(waiting);
      waiting.clear();
    }
    late.forEach(Runnable::run);
  }

  @Override
  public synchronized void blackHole() {
    cutOff = true;
  }

  @Override
  public synchronized void heal() {
    cutOff = false;
  }

  @Override
  public synchronized void cut() {
    connections++;
  }

  @Override
  public void loseState() {
    server.loseState();
    restart();
  }

  @Override
  public Offer<Runnable> scriptLoss() {
    return Offer.of(
        () -> {
          synchronized (this) {
            scripts++;
          }
        });
  }
}
