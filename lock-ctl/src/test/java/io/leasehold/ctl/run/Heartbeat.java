package io.leasehold.ctl.run;

import static org.awaitility.Awaitility.await;

import io.leasehold.ctl.Ctl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A command that writes down, again and again, that it is alive, by the machine's monotonic clock;
 * and one that writes down when it began.
 */
final class Heartbeat {
  private final Path file;

  Heartbeat(Path file) {
    this.file = file;
  }

  /** Writes every 20 ms, until it is ended. */
  List<String> beating() {
    return beating("");
  }

  /** The same, after something that a shell is to do first. */
  List<String> beating(String first) {
    return List.of(
        "sh",
        "-c",
        first
            + " while :; do read -r up rest </proc/uptime; echo \"$up\" >>\"$0\"; sleep 0.02; done",
        file.toString());
  }

  /** Writes once. */
  List<String> once() {
    return List.of(
        "sh", "-c", "read -r up rest </proc/uptime; echo \"$up\" >>\"$0\"", file.toString());
  }

  void awaitBegin() {
    await().atMost(Ctl.PATIENCE).pollInterval(Duration.ofMillis(10)).until(() -> beats() > 0);
  }

  long beats() {
    return lines().size();
  }

  double first() {
    return Double.parseDouble(lines().get(0));
  }

  double last() {
    List<String> lines = lines();
    return Double.parseDouble(lines.get(lines.size() - 1));
  }

  private List<String> lines() {
    try {
      return Files.exists(file)
          ? Files.readString(file).lines().filter(line -> line.matches("\\d+\\.\\d\\d")).toList()
          : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** When it is now, on the clock of the beats. */
  static double now() {
    return SharedClock.hundredths() / 100.0;
  }

  /** What holds of a lock: the one has written for the last time before the other began. */
  static boolean inTurn(Heartbeat earlier, Heartbeat later) {
    return earlier.last() < later.first();
  }
}
