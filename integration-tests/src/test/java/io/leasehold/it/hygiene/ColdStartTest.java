package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.it.badinput.Victim;
import io.leasehold.it.redlock.ChildJvm;
import io.leasehold.testkit.RedisServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * JVMs that start together open their clients, although each of them loads the classes of its
 * driver for longer than the connect timeout.
 */
@Execution(ExecutionMode.CONCURRENT)
class ColdStartTest {
  private static final String TIMEOUT = "connectTimeout=500ms";

  @Test
  void jvmsThatStartTogetherAllOpen() throws Exception {
    allOpen(Driver.VERTX, 4);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void tenJvmsThatStartTogetherAllOpen(Driver driver) throws Exception {
    allOpen(driver, 10);
  }

  @Test
  void aServerThatIsNotThereIsStillReported() throws Exception {
    try (ChildJvm jvm = ChildJvm.start(Victim.class, Driver.VERTX.at(1, TIMEOUT))) {
      jvm.tell("open");
      assertThat(jvm.line())
          .startsWith("io.leasehold.LockUnavailableException")
          .contains("Connection refused", "UNREACHABLE");
    }
  }

  private static void allOpen(Driver driver, int count) throws Exception {
    List<ChildJvm> jvms = new ArrayList<>();
    try (RedisServer server = RedisServer.start()) {
      for (int i = 0; i < count; i++) {
        jvms.add(ChildJvm.start(Victim.class, driver.url(server, TIMEOUT)));
      }
      for (ChildJvm jvm : jvms) {
        jvm.tell("open");
      }
      for (ChildJvm jvm : jvms) {
        assertThat(jvm.line()).startsWith("OPEN");
      }
    } finally {
      jvms.forEach(ChildJvm::close);
    }
  }
}
