package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.history.Simulated.Life;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A long history is judged in little time and little memory, and its length hides nothing. Each is
 * judged by a process of its own, with so much memory and no more.
 */
class LongHistoriesTest {
  static final HistoryBounds BOUNDS =
      HistoryBounds.of(Duration.ofSeconds(4), Duration.ofSeconds(3));

  private final Path folder;

  LongHistoriesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void aHundredThousandEventsAreJudgedWithinSecondsAndOneFlawAmongThemIsFound() throws Exception {
    judged(100_000, "-Xmx48m", Duration.ofSeconds(15));
  }

  @Test
  @Tag("full")
  void twoMillionEventsAreJudgedWithinAMinuteAndOneFlawAmongThemIsFound() throws Exception {
    judged(2_000_000, "-Xmx384m", Duration.ofMinutes(1));
  }

  private void judged(int events, String memory, Duration bound) throws Exception {
    Simulated run = new Simulated(events, 8).run(events / 14);
    String grants = run.lives.size() + " grants";
    addWaiters(run.lives);
    assertThat(written(run)).isGreaterThanOrEqualTo(events);
    assertThat(verdict(memory, bound)).containsExactly(grants);

    Life flawed = plant(run.lives);
    written(run);
    assertThat(verdict(memory, bound))
        .hasSize(2)
        .startsWith(grants)
        .last()
        .asString()
        .startsWith(Rule.OVERLAP + " " + flawed.lock + " ")
        .contains("token " + flawed.token + ")");
  }

  /** Calls that wait for longer than they should for a lock that is never free for so long. */
  private static void addWaiters(List<Life> lives) {
    List<Life> some = lives.stream().filter(life -> life.kind == LockKind.MUTEX).toList();
    for (int i = 0; i < some.size() - 400; i += 20) {
      Life near = some.get(i);
      Life waiter = new Life(near.lock, near.kind, "p" + i % 8, near.granted, near.granted);
      waiter.granted = near.granted + BOUNDS.servedWithin().toNanos() + 1_000_000_000;
      waiter.refused = true;
      lives.add(waiter);
    }
  }

  /** One holder, in the middle, is still there for a moment when the next has come. */
  private static Life plant(List<Life> lives) {
    List<Life> some =
        lives.stream().filter(life -> life.kind == LockKind.MUTEX && !life.refused).toList();
    for (int i = some.size() / 2; i < some.size(); i++) {
      Life first = some.get(i - 1);
      Life second = some.get(i);
      boolean plain = !first.killed && first.lost == 0 && !second.killed && second.lost == 0;
      if (plain && second.claimed() - second.granted > 1_000) {
        first.release = second.granted + 500;
        first.released = second.granted + 600;
        return first;
      }
    }
    throw new AssertionError("nobody to be flawed");
  }

  /** Writes the files; how many events there are in all of them. */
  private long written(Simulated run) throws IOException {
    long events = 0;
    for (Path file : Written.write(run.text(), folder)) {
      try (var lines = Files.lines(file)) {
        events += lines.count() - 1; // without its header
      }
    }
    return events;
  }

  private List<String> verdict(String memory, Duration bound) throws Exception {
    Path answer = folder.resolve("answer");
    Process judge =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                memory,
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Judge.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(answer.toFile())
            .start();
    try {
      boolean inTime = judge.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS);
      assertThat(inTime).as("judged within %s", bound).isTrue();
    } finally {
      judge.destroyForcibly();
    }
    return Files.readAllLines(answer);
  }
}
