package io.leasehold.it.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.it.Driver;
import io.leasehold.it.EachDriver;
import io.leasehold.it.Opened;
import io.leasehold.testkit.RedisServer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on locks of all kinds agree with a small model, on every provider. */
class RandomOperationsTest {
  private static final int STEPS = 400;

  @Test
  void inMemory() {
    agrees("lock:mem://random-operations", "lock:mem://random-operations", 8);
  }

  @ParameterizedTest
  @EachDriver
  void onAServer(Driver driver) {
    try (RedisServer server = RedisServer.start()) {
      agrees(driver.url(server), Driver.JEDIS.url(server), 4);
    }
  }

  @Tag("full")
  @ParameterizedTest
  @EnumSource(Driver.class)
  void onAServerForLonger(Driver driver) {
    try (RedisServer server = RedisServer.start()) {
      agrees(driver.url(server), driver.url(server), 150);
    }
  }

  private static void agrees(String one, String other, int seeds) {
    Random seed = new Random();
    try (Opened first = Opened.open(one);
        Opened second = Opened.open(other)) {
      for (int i = 0; i < seeds; i++) {
        assertThat(
                RandomOperations.run(List.of(first.node(), second.node()), seed.nextLong(), STEPS))
            .isEmpty();
      }
    }
  }
}
