package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.measure.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes that put a load on locks together, and notice when two of their threads hold one. See
 * {@link Worker} for what they are told.
 */
final class Crew implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String HEAP = "512m";

  private final List<ChildJvm> workers = new ArrayList<>();
  private final Path turnstile;
  private int asked;

  /** Starts so many processes. */
  Crew(int processes) throws IOException {
    turnstile = Files.createTempFile("leasehold-turnstile", "");
    turnstile.toFile().deleteOnExit(); // when the run is ended in the middle
    try {
      for (int i = 0; i < processes; i++) {
        workers.add(ChildJvm.start(Worker.class, HEAP, turnstile.toString()));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Connects a contestant, in each process. */
  void open(Contestant who, Place place) throws Exception {
    askAll("open " + who.id() + " " + place.asText(), PATIENCE);
  }

  /**
   * Has a contestant that is connected take and give back locks.
   *
   * @param name of the lock, or how the names of the threads' locks begin
   * @param threads in each process
   * @return what came of it in each process
   */
  List<Outcome> run(
      Contestant who, String name, int threads, LoadScenario.Locks locks, Duration time)
      throws Exception {
    String order =
        String.join(
            " ",
            "run",
            who.id(),
            name,
            String.valueOf(threads),
            locks.name(),
            String.valueOf(time.toMillis()));
    return askAll(order, time.plus(PATIENCE)).stream().map(Outcome::parse).toList();
  }

  /** Closes a contestant's clients. */
  void close(Contestant who) throws Exception {
    askAll("close " + who.id(), PATIENCE);
  }

  private List<String> askAll(String order, Duration within) throws Exception {
    asked++;
    for (ChildJvm worker : workers) {
      worker.tell(asked + " " + order);
    }
    List<String> answers = new ArrayList<>();
    for (ChildJvm worker : workers) {
      String answer = worker.answer(within);
      while (!answer.startsWith(asked + " ")) { // of what another process had failed to do
        answer = worker.answer(within);
      }
      answers.add(answer.substring(answer.indexOf(' ') + 1));
    }
    for (String answer : answers) {
      if (answer.startsWith("failed")) {
        throw new IllegalStateException(answer);
      }
    }
    return answers;
  }

  /** Ends the processes. */
  @Override
  public void close() {
    workers.forEach(ChildJvm::close);
    turnstile.toFile().delete();
  }
}
