package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** On a process with two busy children. */
@EnabledOnOs(OS.LINUX)
class ProcessFaultsTest {
  private static final String BUSY = "(while :; do :; done) & (while :; do :; done) & wait";

  private Process process;
  private ProcessFaults faults;

  @BeforeEach
  void start() throws IOException {
    process = new ProcessBuilder("sh", "-c", BUSY).start();
    faults = ProcessFaults.of(process.toHandle());
    while (process.descendants().count() < 2) {
      Thread.onSpinWait();
    }
  }

  @AfterEach
  void end() {
    faults.kill();
  }

  @Test
  void noThreadRunsWhenStopHasReturnedAndNoneIsStoppedWhenResumeHas() {
    for (int i = 0; i < 5; i++) {
      faults.stop();
      assertThat(states()).isNotEmpty().allMatch(state -> "TZX".indexOf(state) >= 0);
      faults.resume();
      assertThat(states()).isNotEmpty().doesNotContain('T');
    }
  }

  @Test
  void noProcessIsLeftWhenKillHasReturned() {
    List<ProcessHandle> all = process.descendants().toList();
    faults.stop();
    faults.kill();
    assertThat(process.isAlive()).isFalse();
    assertThat(all.stream().flatMap(each -> states(each).stream()))
        .allMatch(state -> "ZX".indexOf(state) >= 0);
  }

  @Test
  void aProcessThatHasEndedIsLeftAlone() {
    faults.kill();
    faults.stop();
    faults.resume();
    faults.kill();
    assertThat(process.isAlive()).isFalse();
  }

  private List<Character> states() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .flatMap(each -> states(each).stream())
        .toList();
  }

  private static List<Character> states(ProcessHandle process) {
    Path threads = Path.of("/proc", String.valueOf(process.pid()), "task");
    try (Stream<Path> all = Files.list(threads)) {
      return all.map(thread -> state(thread.resolve("stat"))).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  private static char state(Path stat) {
    try {
      String fields = Files.readString(stat);
      return fields.charAt(fields.lastIndexOf(')') + 2);
    } catch (IOException e) {
      return 'X';
    }
  }
}
