package io.leasehold.benchmarks.scenario;

/**
 * A part of a run.
 *
 * @param label what it is, for who watches
 * @param seconds how long it takes, roughly
 * @param action what is done
 */
public record Step(String label, double seconds, Action action) {

  /** What a step does. */
  public interface Action {
    void run() throws Exception;
  }
}
