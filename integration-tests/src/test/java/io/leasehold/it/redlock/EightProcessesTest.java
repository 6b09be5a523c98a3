package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of all three drivers want one lock on five servers, as fast as they can: nobody holds
 * it beside another, tokens grow, everybody gets it.
 */
class EightProcessesTest {
  private static final List<Driver> DRIVERS = List.of(Driver.values());
  private static final Duration LONGEST_GAP = Duration.ofSeconds(3);

  private record Hold(int process, long from, long to, long token, boolean valid) {}

  private record Diary(List<Hold> holds, long attempts, long refused, long secondRounds) {}

  @Test
  void fourOfThemForAWhile(@TempDir Path folder) throws Exception {
    contend(4, Duration.ofSeconds(6), folder);
  }

  @Test
  @Tag("full")
  void eightOfThemForAMinute(@TempDir Path folder) throws Exception {
    contend(8, Duration.ofSeconds(60), folder);
  }

  private static void contend(int processes, Duration howLong, Path folder) throws Exception {
    List<ChildJvm> children = new ArrayList<>();
    try (QuorumServers servers = QuorumServers.start(5).vouched()) {
      for (int i = 0; i < processes; i++) {
        Driver driver = DRIVERS.get(i % DRIVERS.size());
        children.add(
            ChildJvm.start(
                Contender.class, servers.url(driver), folder.resolve("diary-" + i).toString()));
      }
      for (ChildJvm child : children) {
        assertThat(child.line()).isEqualTo("ready");
      }
      for (ChildJvm child : children) {
        child.tell(String.valueOf(howLong.toSeconds()));
      }
      for (ChildJvm child : children) {
        assertThat(child.line()).isEqualTo("done");
        child.awaitEnd();
      }
      assertThat(servers.holding(Contender.LOCK)).as("nothing is left held").isEmpty();
    } finally {
      children.forEach(ChildJvm::close);
    }
    List<Diary> diaries = new ArrayList<>();
    for (int i = 0; i < processes; i++) {
      diaries.add(read(i, folder.resolve("diary-" + i)));
    }
    judge(diaries, howLong);
  }

  private static Diary read(int process, Path file) throws Exception {
    List<Hold> holds = new ArrayList<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "hold" ->
            holds.add(
                new Hold(
                    process,
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Long.parseLong(words[3]),
                    Boolean.parseBoolean(words[4])));
        case "end" -> {
          return new Diary(
              holds, Long.parseLong(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
        default -> assertThat(words[0]).isEqualTo("refused");
      }
    }
    throw new AssertionError("process " + process + " did not come to the end of its diary");
  }

  private static void judge(List<Diary> diaries, Duration howLong) {
    List<Hold> holds =
        diaries.stream()
            .flatMap(diary -> diary.holds().stream())
            .sorted(Comparator.comparingLong(Hold::from))
            .toList();
    IntSummaryStatistics shares =
        diaries.stream().mapToInt(diary -> diary.holds().size()).summaryStatistics();
    long attempts = diaries.stream().mapToLong(Diary::attempts).sum();
    long gap =
        IntStream.range(1, holds.size())
            .mapToLong(i -> holds.get(i).from() - holds.get(i - 1).to())
            .max()
            .orElse(Long.MAX_VALUE);
    String result =
        String.format(
            "%d processes, %d s: %d grants (%d to %d for each process), %.2f attempts for each,"
                + " %d second rounds, %d refused, %d lost, longest gap %d ms",
            diaries.size(),
            howLong.toSeconds(),
            holds.size(),
            shares.getMin(),
            shares.getMax(),
            (double) attempts / holds.size(),
            diaries.stream().mapToLong(Diary::secondRounds).sum(),
            diaries.stream().mapToLong(Diary::refused).sum(),
            holds.stream().filter(hold -> !hold.valid()).count(),
            Duration.ofNanos(gap).toMillis());
    System.out.println(result);
    diaries.forEach(
        diary -> System.out.println("  " + diary.holds().size() + " of " + diary.attempts()));

    for (int i = 1; i < holds.size(); i++) {
      Hold earlier = holds.get(i - 1);
      Hold later = holds.get(i);
      assertThat(later.token()).as(earlier + " before " + later).isGreaterThan(earlier.token());
      assertThat(earlier.valid() && later.from() < earlier.to())
          .as(earlier + " overlaps " + later)
          .isFalse();
    }
    assertThat(shares.getMin()).as("everybody gets it; " + result).isPositive();
    assertThat(Duration.ofNanos(gap)).as("no livelock; " + result).isLessThan(LONGEST_GAP);
    assertThat((long) holds.size())
        .as("it goes on; " + result)
        .isGreaterThan(5 * howLong.toSeconds());
  }
}
