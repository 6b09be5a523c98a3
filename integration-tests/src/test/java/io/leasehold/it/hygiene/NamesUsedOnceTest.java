package io.leasehold.it.hygiene;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.testkit.RedisServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client that lives long and never uses a name twice remembers none of them. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("full")
class NamesUsedOnceTest {
  private static final int NAMES = 200_000;

  /** The shortest time for which tokens may be remembered, and one more. */
  private static final int REMEMBERED = 12;

  /** A release that a busy machine lost is made up for by the end of the lease: a short one. */
  private static final String[] OPTIONS = {
    "fenceRetention=11s", "connectTimeout=10s", "leaseTime=5s", "maxLease=10s"
  };

  @Test
  void inMemoryNothingIsLeftOfThem() throws Exception {
    String url = "lock:mem://names?fenceRetention=11s";
    assertThat(Measured.names("memory-names", url, NAMES, REMEMBERED)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void onAServerTheClientHasNothingLeftOfThem(Driver driver) throws Exception {
    try (RedisServer server = RedisServer.start()) {
      String url = driver.url(server, OPTIONS);
      assertThat(Measured.names(driver.provider() + "-names", url, NAMES, 0)).isEmpty();
    }
  }
}
