package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.DistributedLock;
import io.leasehold.Lease;
import io.leasehold.LeaseLoss;
import io.leasehold.LeaseLostException;
import io.leasehold.LockClient;
import io.leasehold.LockStatus;
import io.leasehold.LockTimeoutException;
import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A name that would break a line, or be obeyed by a terminal, in all that people read. */
class PrintedNamesTest {
  private static final String NAME = "a\nLH-000 all is well\u001b[2J";
  private static final String SHOWN = "a\\u000aLH-000 all is well\\u001b[2J";

  private final EngineFixture engine = new EngineFixture();
  private final LockClient client = engine.open();
  private final DistributedLock lock = client.lock(NAME);

  @Test
  void locksAndLeasesShowIt() {
    assertThat(lock.toString()).contains("[" + SHOWN);
    try (Lease lease = lock.tryAcquire().orElseThrow()) {
      assertThat(lease.toString()).contains("[" + SHOWN);
      assertThat(lease.lockName()).as("for programs").isEqualTo(NAME);
    }
    assertThat(engine.node.grants.get(0).toString()).contains("[" + SHOWN);
    assertThat(engine.node.grants.get(0).name()).isEqualTo(NAME);
  }

  @Test
  void exceptionsTellIt() {
    LeaseLostException lost = new LeaseLostException(NAME, LossReason.TAKEN);
    assertThat(lost).hasMessageContaining("'" + SHOWN + "'");
    assertThat(lost.lockName()).as("for programs").isEqualTo(NAME);
    LockTimeoutException late = new LockTimeoutException(NAME, Duration.ofSeconds(1));
    assertThat(late).hasMessageContaining("'" + SHOWN + "'");
    assertThat(late.lockName()).as("for programs").isEqualTo(NAME);
    assertThatThrownBy(() -> lock.asLock().unlock()).hasMessageContaining("'" + SHOWN + "'");
    engine.node.onGrant =
        request -> ScriptedNode.done(new Failed(FailureKind.UNREACHABLE, "nobody there"));
    assertThatThrownBy(lock::tryAcquire)
        .isInstanceOf(LockUnavailableException.class)
        .hasMessageContaining("'" + SHOWN + "'")
        .hasMessageNotContaining(NAME);
  }

  @Test
  void whatOthersCallThemselvesIsShownToo() {
    LockStatus.Holder holder =
        new LockStatus.Holder(
            Optional.of("evil\r\u001b]0;title\u0007"),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalLong.empty());
    assertThat(new LockStatus(NAME, Optional.of(holder), 0).toString())
        .contains(SHOWN, "evil\\u000d\\u001b]0;title\\u0007")
        .matches("\\P{Cntrl}+");
    assertThat(new LeaseLoss(NAME, LossReason.TAKEN).toString()).contains(SHOWN);
  }
}
