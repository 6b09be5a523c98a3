package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.LockCapabilityException;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LockStatus;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a person is told about locks. */
class InspectorTest {
  private static final String CLIENT = "0123456789abcdef0123456789abcdef";
  private static final String OWNER = CLIENT + "-1f-0123456789abcdef";
  private static final long SINCE = 1_800_000_000_123_456L;

  private final EngineFixture engine = new EngineFixture();
  private final KindsNode node = new KindsNode(engine.node, engine.time);
  private final List<String> heard = new ArrayList<>();
  private final LockClient client =
      Locks.builder()
          .node(node)
          .clock(engine.time)
          .scheduler(engine.time)
          .discoverListeners(false)
          .listener(new Auditor())
          .option("prefix", "p*:")
          .open();

  private final class Auditor implements LockListener {
    @Override
    public LockObserver start(AcquireCall call) {
      return LockObserver.NONE;
    }

    @Override
    public void forced(LockStatus before, String why) {
      heard.add(before.name() + " because " + why);
      throw new IllegalStateException("listeners harm nobody");
    }
  }

  private void held(String name, Inspection.Holder holder) {
    node.inspections.put(name, new Inspection(Optional.of(holder), SINCE, 2, SINCE));
  }

  @Test
  void aHolderOfOursIsToldWithAllThatIsKnown() {
    held(
        "p*:a",
        new Inspection.Holder(
            OWNER, 900, Optional.of(new ClientInfo(CLIENT, "billing", "host-1", 77))));
    LockStatus status = client.inspect("a");
    assertThat(status.name()).isEqualTo("a");
    assertThat(status.waiters()).isEqualTo(2);
    LockStatus.Holder holder = status.holder().orElseThrow();
    assertThat(holder.client()).contains("billing");
    assertThat(holder.clientId()).contains(CLIENT);
    assertThat(holder.host()).contains("host-1");
    assertThat(holder.process()).hasValue(77);
    assertThat(holder.since()).contains(Instant.parse("2027-01-15T08:00:00.123456Z"));
    assertThat(holder.remaining()).contains(Duration.ofMillis(900));
    assertThat(holder.token()).hasValue(SINCE);
    assertThat(status.toString()).as("who knows the owner id can release").doesNotContain(OWNER);
  }

  @Test
  void ofAForeignHolderNothingIsMadeUp() {
    held("p*:a", new Inspection.Holder("somebody", Inspection.Holder.NO_EXPIRY));
    LockStatus.Holder holder = client.inspect("a").holder().orElseThrow();
    assertThat(holder.clientId()).isEmpty();
    assertThat(holder.remaining()).isEmpty();
    assertThat(holder.since()).isEmpty();
    assertThat(holder.token()).isEmpty();
  }

  @Test
  void nobodyHoldsAFreeLock() {
    assertThat(client.inspect("a")).isEqualTo(new LockStatus("a", Optional.empty(), 0));
  }

  @Test
  void aListIsAskedForWithTheClientsPrefixAsItIs() {
    held("p*:a", new Inspection.Holder(OWNER, 900));
    held("p*:b", new Inspection.Holder(OWNER, 900));
    node.inspections.put("p*:gone", new Inspection(Optional.empty(), 0, 0, 1));
    assertThat(client.list("*", 10)).extracting(LockStatus::name).containsOnly("a", "b");
    assertThat(node.patterns).containsExactly("p\\*:*");
    assertThatThrownBy(() -> client.list("*", 0)).isInstanceOf(LockConfigurationException.class);
  }

  @Test
  void aForcedReleaseIsToldToListenersAndReturnsWhoHeldIt() {
    held("p*:a", new Inspection.Holder(OWNER, 900));
    LockStatus before = client.forceRelease("a", "its host is gone");
    assertThat(before.holder().orElseThrow().clientId()).contains(CLIENT);
    assertThat(heard).containsExactly("a because its host is gone");
  }

  @Test
  void whatNobodyHoldsIsNotForced() {
    node.onForce = new NotHeld(NotHeld.Cause.ABSENT, 1);
    assertThat(client.forceRelease("a", "why not").holder()).isEmpty();
    assertThat(heard).isEmpty();
  }

  @Test
  void whatIsNotConfirmedIsToldSo() {
    node.onForce = new Failed(FailureKind.TIMEOUT, "silence");
    assertThatThrownBy(() -> client.forceRelease("a", "why not"))
        .isInstanceOf(LockUnavailableException.class);
    assertThat(heard).isEmpty();
  }

  @Test
  void whatIsNotOfferedIsRefused() {
    try (LockClient plain = engine.open()) {
      assertThatThrownBy(() -> plain.list("*", 1)).isInstanceOf(LockCapabilityException.class);
      assertThatThrownBy(() -> plain.forceRelease("a", ""))
          .isInstanceOf(LockCapabilityException.class);
    }
  }
}
