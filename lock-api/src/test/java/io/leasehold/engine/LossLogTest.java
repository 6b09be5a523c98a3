package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LossReason;
import io.leasehold.spi.NotHeld;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LossLogTest {
  private final EngineFixture engine = new EngineFixture();
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger = Logger.getLogger("io.leasehold");
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord record) {
          if (record.getLevel().intValue() >= Level.INFO.intValue()) {
            lines.add(MessageFormat.format(record.getMessage(), record.getParameters()));
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    logger.setUseParentHandlers(false);
    logger.addHandler(handler);
  }

  @AfterEach
  void stopListening() {
    logger.removeHandler(handler);
    logger.setUseParentHandlers(true);
  }

  @Test
  void aLeaseThatIsLostInTheMiddleIsOneWarning() {
    Lease lease = engine.open().lock("order:{42}").tryAcquire().orElseThrow();
    engine.time.stepWallClock(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isFalse();
    lease.close();
    written(1);
    assertThat(lines)
        .containsExactly(
            "LH-219 the lease of the lock 'order:{42}' on scripted was lost: "
                + LossReason.RENEWAL_FAILED.description()
                + " (RENEWAL_FAILED)");
  }

  @Test
  void aNameThatBreaksALineDoesNotBreakThisOne() {
    Lease lease = engine.open().lock("a\nLH-000 all is well").tryAcquire().orElseThrow();
    engine.time.stepWallClock(Duration.ofMinutes(1));
    assertThat(lease.isHeld()).isFalse();
    written(1);
    assertThat(lines).singleElement().asString().contains("'a\\u000aLH-000 all is well'");
  }

  @Test
  void aLossThatIsFoundAtReleaseIsOneWarning() {
    Lease lease = engine.open().lock("a").tryAcquire().orElseThrow();
    engine.node.onRelease =
        request -> ScriptedNode.done(new NotHeld(NotHeld.Cause.TAKEN, engine.node.micros()));
    lease.close();
    written(1);
    assertThat(lines).singleElement().asString().startsWith("LH-219").endsWith("(TAKEN)");
  }

  @Test
  void aLockThatIsTakenAndGivenBackAndAClientThatIsClosedAreSilent() {
    LockClient client = engine.open();
    client.lock("a").tryAcquire().orElseThrow().close();
    Lease lease = client.lock("b").tryAcquire().orElseThrow();
    client.close(); // and with it the threads that would write
    assertThat(lease.isHeld()).isFalse();
    assertThat(lines).isEmpty();
  }

  @Test
  void manyLossesWithinASecondAreAFewLinesAndACount() {
    LockClient client = engine.open();
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      leases.add(client.lock("lock " + i).tryAcquire().orElseThrow());
    }
    engine.time.stepWallClock(Duration.ofMinutes(1));
    assertThat(leases).noneMatch(Lease::isHeld);
    // The threads that tell of losses run in real time: some may come after the virtual second.
    await()
        .atMost(Duration.ofSeconds(10))
        .until(
            () -> {
              engine.time.advance(Duration.ofSeconds(1));
              return told() == 200;
            });
    assertThat(lines).hasSizeLessThan(60);
  }

  @Test
  void theNextSecondHasLinesAgain() {
    LockClient client = engine.open();
    for (int i = 0; i < 3; i++) {
      Lease lease = client.lock("a").tryAcquire().orElseThrow();
      engine.time.stepWallClock(Duration.ofMinutes(1));
      assertThat(lease.isHeld()).isFalse();
      written(i + 1);
      engine.time.advance(Duration.ofSeconds(2));
    }
    assertThat(lines).hasSize(3);
  }

  private void written(int number) {
    await().atMost(Duration.ofSeconds(10)).until(() -> lines.size() >= number);
  }

  /** How many losses the lines tell of. */
  private int told() {
    return lines.stream()
        .mapToInt(
            line ->
                line.contains("further leases")
                    ? Integer.parseInt(line.split(" ", -1)[1].replaceAll("\\D", ""))
                    : 1)
        .sum();
  }
}
