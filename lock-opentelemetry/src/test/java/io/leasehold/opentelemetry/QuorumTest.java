package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A quorum of three spaces in memory. */
class QuorumTest {
  @Test
  void theVotesThatGrantedALeaseAreToldAsTheLeaseTellsThem() throws Exception {
    try (Observatory observatory = new Observatory();
        LockClient locks =
            Locks.builder()
                .url("lock:redlock:mem://qa,qb,qc")
                .discoverListeners(false)
                .listener(LockTelemetry.create(observatory.api()))
                .open();
        Lease lease = locks.lock("a").acquire(Duration.ofSeconds(60))) {
      SpanData acquire = observatory.span(Spans.ACQUIRE);
      assertThat(acquire.getAttributes().get(Keys.PROVIDER)).isEqualTo("redlock");
      assertThat(acquire.getAttributes().get(Keys.TOPOLOGY)).isEqualTo("quorum");
      assertThat(acquire.getAttributes().get(Keys.QUORUM_SIZE)).isEqualTo(3);
      assertThat(acquire.getAttributes().get(Keys.GRANTED)).isGreaterThanOrEqualTo(2);
      assertThat(acquire.getAttributes().get(Keys.VOTES))
          .containsExactlyElementsOf(
              lease.votes().stream()
                  .map(vote -> vote.node() + "=" + Outcome.value(vote.kind()))
                  .toList());
      Observatory.eventually(() -> observatory.total(Metrics.HELD) == 1);
      assertThat(observatory.attributes(Metrics.VOTES))
          .extracting((Attributes attributes) -> attributes.get(Keys.VOTE_NODE))
          .allMatch(node -> lease.votes().stream().anyMatch(vote -> vote.node().equals(node)));
      assertThat(observatory.total(Metrics.VOTES)).isGreaterThanOrEqualTo(3);
    }
  }
}
