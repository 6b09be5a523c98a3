package io.leasehold.ctl.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.ctl.Ctl;
import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.spi.LockProvider;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs the whole demo, in a process of its own. */
class DemoCommandTest {
  /** It takes half of that, and less; but other tests run beside it. */
  private static final Duration IN_PEACE = Duration.ofSeconds(60);

  private static final Duration BOUND = Duration.ofSeconds(150);

  private final Path folder;

  DemoCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Ctl start(String... words) {
    String tmp = "-Djava.io.tmpdir=" + folder;
    return Ctl.start(Map.of("JDK_JAVA_OPTIONS", tmp), words);
  }

  @Test
  void everythingIsAsPromised() throws IOException {
    try (Ctl ctl = start("demo", "--seed", "4711")) {
      Ended ended = ctl.await();
      assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
      assertThat(ended.out())
          .containsPattern("no lock +\\d+ .*(made|lost), as was to be shown")
          .containsPattern("one server +\\d+ .* every cent adds up")
          .containsPattern("five servers, two killed +\\d+ .* \\d+ grabs after the second kill")
          .containsPattern("no tokens +2 .* money made")
          .containsPattern("with tokens +1 .* every cent adds up; its late write was refused")
          .contains("All as promised", "--seed 4711");
      assertThat(ended.err()).contains("kill -9");
      Matcher seconds = Pattern.compile(", (\\d+)\\.\\d s, --seed").matcher(ended.out());
      assertThat(seconds.find()).isTrue();
      inTime("jedis", Duration.ofSeconds(Long.parseLong(seconds.group(1))));
      nothingIsLeft();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lettuce", "vertx"})
  @Tag("full")
  void everythingIsAsPromisedWithOtherDrivers(String driver) throws IOException {
    try (Ctl ctl = start("demo", "--provider", driver, "--json")) {
      Ended ended = ctl.await();
      assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
      JsonObject summary = new JsonObject(ended.out());
      assertThat(summary.getString("provider")).isEqualTo(driver);
      assertThat(summary.getBoolean("asExpected")).isTrue();
      assertThat(summary.getJsonArray("parts")).hasSize(5);
      for (Object each : summary.getJsonArray("parts")) {
        JsonObject part = (JsonObject) each;
        assertThat(part.getLong("differenceCents") == 0)
            .as(part.encode())
            .isEqualTo(part.getBoolean("promised"));
        assertThat(part.getLong("grabs")).isPositive();
      }
      inTime(driver, Duration.ofMillis(summary.getLong("millis")));
      nothingIsLeft();
    }
  }

  private static void inTime(String driver, Duration took) {
    System.out.println("the demo with " + driver + " took " + took.toMillis() + " ms");
    assertThat(took).isLessThan(isBusy() ? BOUND : IN_PEACE);
  }

  /** More than twice as many want to run as can. */
  private static boolean isBusy() {
    OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
    return system.getSystemLoadAverage() > 2.0 * system.getAvailableProcessors();
  }

  @Test
  @Tag("full")
  void aBrokenProviderIsFoundOut() throws IOException {
    Path services = Files.createDirectories(folder.resolve("classes/META-INF/services"));
    Files.writeString(
        services.resolve(LockProvider.class.getName()), BrokenProvider.class.getName());
    List<String> words = new ArrayList<>(Ctl.java());
    int path = words.indexOf("-cp") + 1;
    words.set(path, folder.resolve("classes") + File.pathSeparator + words.get(path));
    words.addAll(List.of("demo", "--provider", "broken"));
    try (Ctl ctl = Ctl.startProcess(words, Map.of(), Path.of("/dev/null"))) {
      Ended ended = ctl.await();
      assertThat(ended.code()).as(ended.out() + ended.err()).isEqualTo(1);
      assertThat(ended.out())
          .containsPattern("one server .* THE PROMISE IS BROKEN")
          .containsPattern("five servers, two killed .* THE PROMISE IS BROKEN")
          .contains("NOT as it should be");
    }
  }

  @Test
  void interruptedItLeavesNothingBehind() throws IOException {
    try (Ctl ctl = start("demo")) {
      await()
          .atMost(BOUND)
          .until(() -> ctl.err().contains("1. nobody locks") && !running().isEmpty());
      List<ProcessHandle> started =
          ProcessHandle.of(ctl.pid()).stream().flatMap(ProcessHandle::descendants).toList();
      assertThat(started).hasSizeGreaterThan(10);
      ctl.signal("INT");
      assertThat(ctl.await().code()).isEqualTo(130);
      await().atMost(BOUND).until(() -> started.stream().noneMatch(ProcessHandle::isAlive));
      nothingIsLeft();
    }
  }

  @Test
  void aDriverThatIsNotThereIsRefused() {
    Ended ended = Ctl.run("demo", "--provider", "redlock");
    assertThat(ended.code()).isEqualTo(64);
    assertThat(ended.err()).contains("jedis, lettuce or vertx");
  }

  private void nothingIsLeft() throws IOException {
    await().atMost(BOUND).until(() -> running().isEmpty());
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .as("files that were left")
          .filteredOn(name -> !name.startsWith("hsperfdata"))
          .isEmpty();
    }
  }

  /** Servers of the demo: their binary lies in the folder that it has for itself. */
  private List<ProcessHandle> running() {
    return ProcessHandle.allProcesses()
        .filter(
            process ->
                process.info().commandLine().filter(line -> line.contains("" + folder)).isPresent())
        .toList();
  }
}
