package io.leasehold.ctl;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A lockctl in a process of its own. What it prints goes into files: a child that outlives it holds
 * up nobody who reads.
 */
public final class Ctl implements AutoCloseable {
  /** Options of a URL for a machine that is busy with other things. */
  public static final String PATIENT = "?connectTimeout=60s&commandTimeout=3s";

  /** For what happens at once when the machine has time for it. */
  public static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Process process;
  private final Path out;
  private final Path err;

  /**
   * How one has ended.
   *
   * @param code its exit code
   * @param out its standard output
   * @param err its standard error
   */
  public record Ended(int code, String out, String err) {}

  /**
   * A build in the background ignores INT and HUP, and so would whatever it starts: a shell cannot
   * even trap what was ignored before. This gives them back, where there is such an env.
   */
  private static final List<String> WITH_SIGNALS = withSignals();

  private static List<String> withSignals() {
    List<String> env = List.of("env", "--default-signal=INT,HUP");
    List<String> trial = new ArrayList<>(env);
    trial.add("true");
    try {
      Process process = new ProcessBuilder(trial).start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0 ? env : List.of();
    } catch (IOException e) {
      return List.of();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Ctl(Process process, Path out, Path err) {
    this.process = process;
    this.out = out;
    this.err = err;
  }

  public static Ctl start(String... arguments) {
    return start(Map.of(), arguments);
  }

  public static Ctl start(Map<String, String> environment, String... arguments) {
    return start(environment, Path.of("/dev/null"), arguments);
  }

  public static Ctl start(Map<String, String> environment, Path input, String... arguments) {
    List<String> words = new ArrayList<>(java());
    words.addAll(List.of(arguments));
    return startProcess(words, environment, input);
  }

  /** Any command in the place of lockctl. */
  public static Ctl startProcess(List<String> words, Map<String, String> environment, Path input) {
    try {
      Path out = Files.createTempFile("lockctl", ".out");
      Path err = Files.createTempFile("lockctl", ".err");
      List<String> command = new ArrayList<>(WITH_SIGNALS);
      command.addAll(words);
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(input.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(key -> key.startsWith("LEASEHOLD"));
      builder.environment().putAll(new HashMap<>(environment));
      return new Ctl(builder.start(), out, err);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static List<String> java() {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx64m",
        "-cp",
        System.getProperty("java.class.path"),
        "io.leasehold.ctl.Lockctl");
  }

  /** Runs one to its end. */
  public static Ended run(String... arguments) {
    try (Ctl ctl = start(arguments)) {
      return ctl.await();
    }
  }

  public Ended await() {
    try {
      if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
        signal("QUIT"); // prints its threads
        process.waitFor(10, TimeUnit.SECONDS);
        throw new AssertionError("lockctl does not end; it has said: " + read(err) + read(out));
      }
      return new Ended(process.exitValue(), read(out), read(err));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public long pid() {
    return process.pid();
  }

  public String out() {
    return read(out);
  }

  public String err() {
    return read(err);
  }

  public void signal(String name) {
    signal(name, pid());
  }

  public static void signal(String name, long pid) {
    try {
      int code = new ProcessBuilder("kill", "-s", name, Long.toString(pid)).start().waitFor();
      if (code != 0) {
        throw new AssertionError("kill -s " + name + " " + pid + " ended with " + code);
      }
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
      Files.deleteIfExists(out);
      Files.deleteIfExists(err);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
