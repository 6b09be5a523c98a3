package io.leasehold.ctl.demo;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The processes that grab. They are started once, and told what to do in each part. */
final class Crowd implements AutoCloseable {
  private final List<Grabber> grabbers = new ArrayList<>();
  private final Progress progress;
  private String part = "";

  Crowd(int size, Path errors, Progress progress) {
    this.progress = progress;
    for (int i = 0; i < size; i++) {
      grabbers.add(Grabber.start(errors));
    }
  }

  Grabber get(int index) {
    return grabbers.get(index);
  }

  /** Waits until all are there. */
  void awaitAll(String word) throws InterruptedException {
    for (Grabber grabber : grabbers) {
      grabber.await(word);
    }
  }

  /** Gets all of them ready, and lets them begin together. */
  void begin(String name, Task task) throws InterruptedException {
    part = name;
    for (int i = 0; i < grabbers.size(); i++) {
      Task own =
          new Task(
              task.verb(),
              task.url(),
              task.lock(),
              task.storePort(),
              task.packet(),
              task.fenced(),
              task.thinkMicros(),
              task.seed() + i);
      grabbers.get(i).tell(own);
    }
    awaitAll("ready");
    grabbers.forEach(grabber -> grabber.order("go"));
  }

  /**
   * Waits while they grab.
   *
   * @param least for so long
   * @param grabs and until they have grabbed so often
   * @param most but no longer than so
   */
  void goOn(long least, long grabs, long most) throws InterruptedException {
    long began = System.nanoTime();
    long before = tally().grabs();
    for (long took = 0; took < most; took = millisSince(began)) {
      Tally now = tally();
      if (took >= least && now.grabs() - before >= grabs) {
        return;
      }
      progress.show(part + "   " + now.grabs() + " grabs   " + Outcome.money(now.cents()));
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static long millisSince(long began) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  /** Has all of them stop, and adds up what they have. */
  Tally end() throws InterruptedException {
    grabbers.forEach(grabber -> grabber.order("stop"));
    awaitAll("done");
    progress.clear();
    return tally();
  }

  Tally tally() {
    return grabbers.stream().map(Grabber::tally).reduce(Tally.NONE, Tally::and);
  }

  @Override
  public void close() {
    grabbers.forEach(Grabber::close);
  }
}
