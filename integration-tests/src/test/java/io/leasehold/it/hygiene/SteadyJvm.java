package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.fail;

import io.leasehold.it.redlock.ChildJvm;
import java.util.ArrayList;
import java.util.List;

/** A {@link Steady} as the test sees it. */
final class SteadyJvm implements AutoCloseable {
  private final String name;
  private final ChildJvm child;
  private final List<String> leaks = new ArrayList<>();

  private SteadyJvm(String name, ChildJvm child) {
    this.name = name;
    this.child = child;
  }

  /** Starts one, and lets it work and rest. */
  static SteadyJvm start(String name, String url, int faults, int pool) throws Exception {
    ChildJvm child =
        ChildJvm.start(
            Measured.OPTIONS, Steady.class, "url=" + url, "faults=" + faults, "pool=" + pool);
    SteadyJvm steady = new SteadyJvm(name, child);
    for (int i = 0; i < 5; i++) {
      steady.tell("work");
      steady.tell("worked");
      steady.tell("rest");
    }
    return steady;
  }

  /** Tells it to do something, and waits until it has. */
  void tell(String what) throws Exception {
    child.tell(what);
    String line = child.line();
    while (!line.equals("ok")) {
      if (line.startsWith("leak ")) {
        leaks.add(line);
      } else if (!line.startsWith("at ")) {
        fail(name + " was told: " + what + ", and ended with: " + line);
      }
      Measured.report(name, line);
      line = child.line();
    }
  }

  /** What it has found since it was last asked. */
  List<String> leaks() {
    List<String> found = List.copyOf(leaks);
    leaks.clear();
    return found;
  }

  @Override
  public void close() {
    child.close();
  }
}
