package io.leasehold.it.badinput;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.it.Driver;
import io.leasehold.testkit.Mischief;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whatever a server replies, at any moment of a lock's life, a call ends in bounded time with a
 * typed error, and the client works again once the server behaves. How much memory a reply costs is
 * the driver's matter. The normal run has some kinds of nonsense for each moment, always the same;
 * {@code -Pfull} has all of them, in an order that {@code -Dleasehold.seed=…} repeats.
 */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
class RogueServerTest {
  private static final boolean FULL = Boolean.getBoolean("leasehold.full");
  private static final String OURS = "io.leasehold.Lock";

  private final long seed =
      Long.getLong("leasehold.seed", FULL ? ThreadLocalRandom.current().nextLong(1L << 40) : 1);
  private final Random random = new Random(seed);

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aGrantThatMakesNoSenseIsNone(Driver driver) throws Exception {
    try (Scene scene = Scene.of(driver, seed)) {
      scene.awaitOpen();
      List<Mischief> chosen = some(8);
      for (Mischief mischief : chosen) {
        scene.rogue.misbehave("EVALSHA", mischief);
        assertThat(scene.does("try grant-" + mischief)).as(what(mischief)).startsWith(OURS);
        scene.awaitRecovery("after-" + mischief);
      }
      assertThat(scene.rogue.misdeeds()).isGreaterThanOrEqualTo(chosen.size());
      chosen.forEach(mischief -> scene.awaitFree("grant-" + mischief));
      close(scene);
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aConnectionThatBeginsWithNonsenseIsNone(Driver driver) throws Exception {
    try (Scene scene = Scene.of(driver, seed)) {
      scene.awaitOpen();
      close(scene);
      for (String moment : List.of("", "AUTH", "INFO", "SCRIPT LOAD")) {
        for (Mischief mischief : some(1)) {
          scene.rogue.misbehave(moment, mischief);
          assertThat(scene.does("open", Scene.CONNECT))
              .as("%s at '%s'", what(mischief), moment)
              .startsWith(OURS);
        }
        scene.rogue.behave();
        scene.awaitOpen();
        close(scene);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aHeldLockIsNeitherReleasedNorExtendedByNonsense(Driver driver) throws Exception {
    try (Scene scene = Scene.of(driver, seed)) {
      scene.awaitOpen();
      for (Mischief mischief : some(2)) {
        scene.awaitHeld("release-" + mischief);
        scene.rogue.misbehave("EVALSHA", mischief);
        assertThat(scene.does("release release-" + mischief))
            .as(what(mischief))
            .satisfiesAnyOf(
                said -> assertThat(said).isEqualTo("LOST"),
                said -> assertThat(said).startsWith(OURS));
        scene.awaitRecovery("after-" + mischief);
        scene.awaitFree("release-" + mischief);
      }
      for (Mischief mischief : some(1)) {
        scene.awaitHeld("extend-" + mischief);
        scene.rogue.misbehave("EVALSHA", mischief);
        await(what(mischief))
            .atMost(Scene.LEASE.plusSeconds(2))
            .until(() -> scene.does("held extend-" + mischief).equals("LOST"));
        scene.awaitRecovery("after-" + mischief);
      }
      close(scene);
    }
  }

  @ParameterizedTest
  @EnumSource(Driver.class)
  void aWaiterThatReceivesNonsenseWaitsNoLongerThanItWants(Driver driver) throws Exception {
    try (Scene scene = Scene.of(driver, seed)) {
      Duration wait = Duration.ofMillis(300);
      for (Mischief mischief : some(1)) {
        scene.awaitOpen();
        scene.take("listen-" + mischief);
        scene.rogue.misbehave("SUBSCRIBE", mischief);
        assertThat(scene.does("acquire listen-" + mischief + " 300", wait))
            .as(what(mischief))
            .startsWith(OURS);
        scene.rogue.behave();
        await(what(mischief))
            .atMost(Duration.ofSeconds(10))
            .until(
                () -> {
                  scene.does("acquire listen-" + mischief + " 300", wait);
                  return scene.rogue.interject(mischief) > 0;
                });
        assertThat(scene.does("acquire listen-" + mischief + " 300", wait))
            .as(what(mischief))
            .startsWith(OURS);
        scene.giveBack("listen-" + mischief);
        scene.awaitRecovery("listen-" + mischief);
        close(scene); // a subscription on which nothing comes is not known to be bad
      }
    }
  }

  private static void close(Scene scene) throws Exception {
    assertThat(scene.does("close", Duration.ofSeconds(3))).isEqualTo("CLOSED");
  }

  private String what(Mischief mischief) {
    return mischief + ", repeat it with -Dleasehold.seed=" + seed;
  }

  private List<Mischief> some(int count) {
    List<Mischief> all = Arrays.asList(Mischief.values());
    Collections.shuffle(all, random);
    return FULL ? all : all.subList(0, count);
  }
}
