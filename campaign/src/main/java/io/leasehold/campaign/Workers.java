package io.leasehold.campaign;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The client processes of a run, and what the nemesis does to them. A killed one is replaced by
 * another with a name of its own.
 */
final class Workers implements AutoCloseable {
  private final String prefix;
  private final String url;
  private final Path folder;
  private final long seed;
  private final int perSecond;
  private final List<WorkerProcess> all = new ArrayList<>();
  private final List<WorkerProcess> present = new CopyOnWriteArrayList<>();

  Workers(String prefix, String url, Path folder, long seed, int perSecond) {
    this.prefix = prefix;
    this.url = url;
    this.folder = folder;
    this.seed = seed;
    this.perSecond = perSecond;
  }

  void start(int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      present.add(another());
    }
    awaitReady();
  }

  private WorkerProcess another() {
    String name = prefix + "-" + all.size();
    WorkerProcess worker = WorkerProcess.start(name, url, folder, seed + all.size(), perSecond);
    synchronized (all) {
      all.add(worker);
    }
    return worker;
  }

  /** Grants of all that ever were, as far as they have told. */
  long grants() {
    synchronized (all) {
      return all.stream().mapToLong(WorkerProcess::grants).sum();
    }
  }

  /** How many grants each that is here has told of. */
  List<Long> grantsOfEach() {
    return present.stream().map(WorkerProcess::grants).toList();
  }

  Attack aim(PlannedFault fault) {
    int at = fault.pick() / 7 % present.size();
    WorkerProcess worker = present.get(at);
    return new Attack(worker.name(), () -> begin(worker, at, fault));
  }

  private Runnable begin(WorkerProcess worker, int at, PlannedFault fault)
      throws InterruptedException {
    worker.awaitReady(); // it may be new
    switch (fault.kind()) {
      case PAUSE_CLIENT -> {
        worker.pause();
        return worker::resume;
      }
      case KILL_CLIENT -> {
        worker.kill();
        return () -> present.set(at, another());
      }
      case CLIENT_CLOCK_FORWARD -> worker.setWall(shift(fault));
      case CLIENT_CLOCK_BACK -> worker.setWall(shift(fault).negated());
      default -> throw new IllegalArgumentException(fault.kind() + " is not for clients");
    }
    return () -> worker.setWall(Duration.ZERO);
  }

  /** From a tenth of a second to a day. */
  private static Duration shift(PlannedFault fault) {
    return switch (fault.pick() % 4) {
      case 0 -> Duration.ofMillis(100 + fault.pick() % 1_900);
      case 1 -> Duration.ofSeconds(2 + fault.pick() % 10);
      case 2 -> Duration.ofMinutes(1 + fault.pick() % 60);
      default -> Duration.ofDays(1);
    };
  }

  /** Waits for those that were started last. */
  void awaitReady() throws InterruptedException {
    for (WorkerProcess worker : present) {
      worker.awaitReady();
    }
  }

  /** Ends all; tells what is wrong with them. */
  List<String> stop() throws InterruptedException {
    for (WorkerProcess worker : present) {
      worker.stop();
    }
    List<String> wrong = new ArrayList<>();
    for (WorkerProcess worker : present) {
      Optional<String> said = worker.awaitEnd();
      said.ifPresent(wrong::add);
    }
    return wrong;
  }

  @Override
  public void close() {
    all.forEach(WorkerProcess::close);
  }
}
