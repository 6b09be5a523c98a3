package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.tck.ProcessFaults;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A {@link Worker} in a JVM of its own. It ends with its input, and so with this JVM. */
final class WorkerProcess implements AutoCloseable {
  private static final Duration BOUND = Duration.ofSeconds(120);

  private final String name;
  private final Process process;
  private final BufferedWriter to;
  private final Thread hearing;
  private volatile boolean ready;
  private volatile boolean done;
  private volatile boolean killed;
  private volatile long grants;
  private volatile long surprises;
  private volatile String threads = "";

  private WorkerProcess(String name, Process process) {
    this.name = name;
    this.process = process;
    this.to = process.outputWriter(UTF_8);
    this.hearing = new Thread(this::hear, "hearing-" + name);
    hearing.setDaemon(true);
    hearing.start();
  }

  static WorkerProcess start(String name, String url, Path folder, long seed, int perSecond) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName()));
    command.addAll(
        List.of(
            url,
            name,
            folder.resolve(name + ".history").toString(),
            String.valueOf(seed),
            String.valueOf(perSecond)));
    try {
      return new WorkerProcess(
          name,
          new ProcessBuilder(command)
              .redirectError(folder.resolve(name + ".err").toFile())
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException("could not start a worker", e);
    }
  }

  String name() {
    return name;
  }

  long grants() {
    return grants;
  }

  /** How often a caller saw an error that is none of the API's. */
  long surprises() {
    return surprises;
  }

  /** Whether it was ended by {@link #kill()}. */
  boolean killed() {
    return killed;
  }

  void awaitReady() throws InterruptedException {
    if (!Patience.await(BOUND, () -> ready || !hearing.isAlive()) || !ready) {
      throw new IllegalStateException(
          name
              + (hearing.isAlive()
                  ? " is not ready after " + BOUND
                  : " ended before it was ready"));
    }
  }

  /** SIGSTOP. */
  void pause() {
    ProcessFaults.of(process.toHandle()).stop();
  }

  /** SIGCONT. */
  void resume() {
    ProcessFaults.of(process.toHandle()).resume();
  }

  /** SIGKILL. */
  void kill() {
    killed = true;
    process.destroyForcibly().onExit().join();
  }

  /** Sets its wall clock this far ahead of the machine's. */
  void setWall(Duration ahead) {
    say("wall " + ahead.toMillis());
  }

  /** Has it close everything. */
  void stop() {
    say("stop");
  }

  /**
   * Waits until it has closed everything.
   *
   * @return what is wrong with it, if something is
   */
  Optional<String> awaitEnd() throws InterruptedException {
    // Not whether the process is alive: it may be gone before its last line has been read.
    if (!Patience.await(BOUND, () -> done || !hearing.isAlive())) {
      return Optional.of(name + " did not end within " + BOUND);
    }
    if (!done) {
      return Optional.of(name + " ended without reporting that it was done");
    }
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      return Optional.of(name + " said that it was done and did not end");
    }
    String[] counts = threads.split(" ", -1);
    if (counts.length < 2 || Integer.parseInt(counts[1]) > Integer.parseInt(counts[0])) {
      return Optional.of(name + " had more threads at its end than at its beginning: " + threads);
    }
    return surprises == 0
        ? Optional.empty()
        : Optional.of(name + " saw " + surprises + " errors that are none of the API's");
  }

  private void say(String line) {
    try {
      to.write(line);
      to.newLine();
      to.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(name + " does not listen", e);
    }
  }

  private void hear() {
    try (BufferedReader from = process.inputReader(UTF_8)) {
      for (String line = from.readLine(); line != null; line = from.readLine()) {
        String[] words = line.split(" ", 2);
        switch (words[0]) {
          case "ready" -> ready = true;
          case "grants" -> grants = Long.parseLong(words[1]);
          case "threads" -> threads = words[1].strip();
          case "counts" -> {
            String[] counts = words[1].split(" ", -1);
            grants = Long.parseLong(counts[0]);
            surprises = Long.parseLong(counts[2]);
          }
          case "done" -> done = true;
          default -> System.err.println(name + ": " + line);
        }
      }
    } catch (IOException e) {
      // It is gone.
    }
  }

  @Override
  public void close() {
    process.destroyForcibly(); // which ends a stopped one too
  }
}
