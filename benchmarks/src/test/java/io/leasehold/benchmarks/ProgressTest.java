package io.leasehold.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);
  private final AtomicLong now = new AtomicLong(5);

  private void seconds(long more) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(more));
  }

  @Test
  void eachStepIsALineWithWhatIsGoneAndLeft() {
    Progress progress = new Progress(out, false, now::get, 2, 100);
    progress.begin("first", 0);
    seconds(80); // it was to take 40
    progress.begin("second", 40);
    seconds(90);
    progress.end();
    assertThat(bytes.toString(UTF_8).lines())
        .containsExactly(
            "[1/2] 0:00 gone, about 1:40 left  first",
            "[2/2] 1:20 gone, about 2:00 left  second",
            "Done in 2:50");
  }

  @Test
  void onATerminalItIsOneLineThatChanges() {
    Progress progress = new Progress(out, true, now::get, 1, 10);
    progress.begin("only", 0);
    assertThat(bytes.toString(UTF_8)).startsWith("\r").contains("only").doesNotContain("\n");
  }
}
