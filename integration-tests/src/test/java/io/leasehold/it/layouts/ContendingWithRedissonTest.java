package io.leasehold.it.layouts;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.layouts.Diary.Hold;
import io.leasehold.it.redlock.ChildJvm;
import io.leasehold.testkit.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of Redisson and of ours want one lock, as fast as they can: nobody holds it beside
 * another, nobody starves, and a release on one side wakes the other.
 */
class ContendingWithRedissonTest {
  private static final String REDISSON = "redisson";

  /** Whoever is woken comes within this; whoever polls waits for seconds. */
  private static final Duration SOON = Duration.ofSeconds(1);

  private static final Duration LONGEST_GAP = Duration.ofSeconds(2);

  @Test
  void twoAndTwoForAWhile() throws Exception {
    List<String> kinds = List.of(REDISSON, "LETTUCE", REDISSON, "JEDIS");
    Duration howLong = Duration.ofSeconds(4);
    List<Diary> diaries = new ArrayList<>();
    List<Side> sides = new ArrayList<>();
    try (RedisServer server = RedisServer.start()) {
      for (String kind : kinds) {
        Side side = Side.open(kind, server.port());
        sides.add(side);
        side.locked("warm-up", holding -> true);
      }
      long end = System.nanoTime() + howLong.toNanos();
      List<CompletableFuture<Void>> running = new ArrayList<>();
      for (int i = 0; i < kinds.size(); i++) {
        int who = i;
        Diary diary = new Diary();
        diaries.add(diary);
        running.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    diary.contend(kinds.get(who), who, sides.get(who), end);
                  } catch (InterruptedException e) {
                    throw new CompletionException(e);
                  }
                },
                task -> new Thread(task, "contender-" + who).start()));
      }
      for (CompletableFuture<Void> one : running) {
        one.get(60, TimeUnit.SECONDS);
      }
      assertThat(server.command("EXISTS", Diary.LOCK)).as("nothing is left held").isEqualTo(0L);
    } finally {
      sides.forEach(Side::close);
    }
    judge(diaries.stream().flatMap(diary -> diary.holds().stream()).toList(), kinds, howLong);
  }

  @Test
  @Tag("full")
  void fourAndFourProcessesForAMinute(@TempDir Path folder) throws Exception {
    List<String> kinds =
        List.of(REDISSON, "JEDIS", REDISSON, "LETTUCE", REDISSON, "VERTX", REDISSON, "LETTUCE");
    Duration howLong = Duration.ofSeconds(60);
    List<ChildJvm> children = new ArrayList<>();
    try (RedisServer server = RedisServer.start()) {
      for (int i = 0; i < kinds.size(); i++) {
        children.add(
            ChildJvm.start(
                Diary.Contender.class,
                kinds.get(i),
                String.valueOf(i),
                String.valueOf(server.port()),
                folder.resolve("diary-" + i).toString()));
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
      assertThat(server.command("EXISTS", Diary.LOCK)).as("nothing is left held").isEqualTo(0L);
    } finally {
      children.forEach(ChildJvm::close);
    }
    List<Hold> holds = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      for (String line : Files.readAllLines(folder.resolve("diary-" + i))) {
        String[] words = line.split(" ", -1);
        holds.add(
            new Hold(
                kinds.get(i),
                i,
                Long.parseLong(words[0]),
                Long.parseLong(words[1]),
                Boolean.parseBoolean(words[2])));
      }
    }
    judge(holds, kinds, howLong);
  }

  private static void judge(List<Hold> unsorted, List<String> kinds, Duration howLong) {
    List<Hold> holds = unsorted.stream().sorted(Comparator.comparingLong(Hold::from)).toList();
    Map<Integer, Long> shares =
        holds.stream().collect(Collectors.groupingBy(Hold::who, Collectors.counting()));
    long toThem = 0;
    long toUs = 0;
    long soonToThem = 0;
    long soonToUs = 0;
    long gap = 0;
    for (int i = 1; i < holds.size(); i++) {
      Hold earlier = holds.get(i - 1);
      Hold later = holds.get(i);
      assertThat(earlier.valid() && later.from() < earlier.to())
          .as(earlier + " overlaps " + later)
          .isFalse();
      long between = later.from() - earlier.to();
      gap = Math.max(gap, between);
      boolean soon = between < SOON.toNanos();
      if (isTheirs(later) && !isTheirs(earlier)) {
        toThem++;
        soonToThem += soon ? 1 : 0;
      } else if (!isTheirs(later) && isTheirs(earlier)) {
        toUs++;
        soonToUs += soon ? 1 : 0;
      }
    }
    long theirs = holds.stream().filter(ContendingWithRedissonTest::isTheirs).count();
    String result =
        String.format(
            "%d + %d for %d s: %d holds, %d theirs and %d ours; from us to them %d times (%d within"
                + " %d ms), from them to us %d (%d); longest gap %d ms; shares %s",
            kinds.stream().filter(REDISSON::equals).count(),
            kinds.stream().filter(kind -> !kind.equals(REDISSON)).count(),
            howLong.toSeconds(),
            holds.size(),
            theirs,
            holds.size() - theirs,
            toThem,
            soonToThem,
            SOON.toMillis(),
            toUs,
            soonToUs,
            Duration.ofNanos(gap).toMillis(),
            shares.entrySet().stream()
                .map(share -> kinds.get(share.getKey()) + " " + share.getValue())
                .collect(Collectors.joining(", ")));
    System.out.println(result);
    assertThat(holds).as("nobody lost what it held; " + result).allMatch(Hold::valid);
    assertThat(shares).as("everybody gets it; " + result).hasSize(kinds.size());
    assertThat(Math.min(theirs, holds.size() - theirs))
        .as("no side starves; " + result)
        .isGreaterThan(holds.size() / 20);
    assertThat(soonToThem).as("our releases wake them; " + result).isGreaterThan(toThem * 9 / 10);
    assertThat(soonToUs).as("theirs wake us; " + result).isGreaterThan(toUs * 9 / 10);
    assertThat(Math.min(toThem, toUs)).as(result).isGreaterThan(howLong.toSeconds());
    assertThat(Duration.ofNanos(gap)).as("no livelock; " + result).isLessThan(LONGEST_GAP);
  }

  private static boolean isTheirs(Hold hold) {
    return hold.kind().equals(REDISSON);
  }
}
