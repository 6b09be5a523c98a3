package io.leasehold.it.hygiene;

import static io.leasehold.it.hygiene.LeftBehind.CLIENT;
import static io.leasehold.it.hygiene.LeftBehind.ENTRY;
import static io.leasehold.it.hygiene.LeftBehind.SOCKET;
import static io.leasehold.it.hygiene.LeftBehind.TASK;
import static io.leasehold.it.hygiene.LeftBehind.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Controls: whatever is left behind on purpose is found, and named. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class LeftBehindTest {

  @Test
  void whatIsLeftInTheJvmIsNamed() throws Exception {
    try (Stage stage = Stage.memory()) {
      List<String> leaks = Measured.rounds("leaves-in-jvm", stage, 20, 40, THREAD, TASK, ENTRY);
      assertThat(leaks).anyMatch(leak -> leak.contains("threads forgotten-#: 20 -> 60"));
      assertThat(leaks)
          .anyMatch(leak -> leak.contains("ScheduledThreadPoolExecutor$ScheduledFutureTask: "));
      assertThat(leaks)
          .anyMatch(leak -> leak.contains("objects io.leasehold.engine.EngineClient: 41 -> 61"));
    }
  }

  @Test
  void whatIsLeftOnAServerIsNamedToo() throws Exception {
    try (Stage stage = Stage.standalone(Driver.JEDIS)) {
      List<String> leaks = Measured.rounds("leaves-on-server", stage, 20, 40, SOCKET, CLIENT);
      String socket = "descriptors socket to port " + stage.servers().get(0).port() + ": ";
      assertThat(leaks).anyMatch(leak -> leak.contains(socket));
      assertThat(leaks).anyMatch(leak -> leak.contains("threads leasehold-timer-#: 21 -> 61"));
      assertThat(leaks).contains("leak of connections on the server");
    }
  }
}
