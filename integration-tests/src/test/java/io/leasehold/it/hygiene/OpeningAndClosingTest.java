package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clients that were opened and closed leave nothing in their JVM and nothing on the server, however
 * they were used, and also when they could not be opened.
 */
@Execution(ExecutionMode.CONCURRENT)
class OpeningAndClosingTest {

  @Test
  void someHundredClientsInMemoryLeaveNothing() throws Exception {
    leaveNothing(Subject.MEMORY, 100, 300);
  }

  @ParameterizedTest
  @EachDriver
  void someHundredClientsLeaveNothing(Driver driver) throws Exception {
    leaveNothing(Subject.valueOf(driver.name()), 80, 220);
  }

  @Tag("full")
  @Test
  void someClientsOfAQuorumLeaveNothing() throws Exception {
    leaveNothing(Subject.JEDIS_REDLOCK, 40, 80);
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void aThousandClientsLeaveNothing(Subject subject) throws Exception {
    leaveNothing(subject, 200, 1_000);
  }

  private static void leaveNothing(Subject subject, int warmUp, int rounds) throws Exception {
    try (Stage stage = subject.start()) {
      assertThat(Measured.rounds(subject.toString(), stage, warmUp, rounds)).isEmpty();
    }
  }
}
