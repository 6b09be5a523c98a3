package io.leasehold.tck.checks;

import io.leasehold.spi.Findings;
import io.leasehold.spi.LockNode;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.wire.Tap;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** Keeps the node of a client at hand, to ask it what it noticed. */
final class Told implements Tap {
  private final AtomicReference<LockNode> node = new AtomicReference<>();

  @Override
  public LockNode apply(LockNode raw) {
    node.set(raw);
    return raw;
  }

  /** The node of the client that was opened with this tap. */
  LockNode node() {
    LockNode known = node.get();
    if (known == null) {
      throw new IllegalStateException("no client was opened with this tap");
    }
    return known;
  }

  /** What the node noticed until now; fails the check when it does not tell. */
  Set<Findings.Finding> findings() {
    return new HashSet<>(
        node()
            .offer(Findings.class)
            .orElseThrow(() -> Expect.violation("the node must offer Findings, and does not"))
            .findings());
  }

  /** What the node noticed beyond what is known; a finding that says nothing fails the check. */
  Set<Findings.Finding> news(Set<Findings.Finding> known) {
    Set<Findings.Finding> news = findings();
    news.removeAll(known);
    for (Findings.Finding finding : news) {
      Expect.that(
          !finding.id().isBlank() && !finding.text().isBlank(),
          "a finding must have an id and a text, and is " + finding);
    }
    return news;
  }
}
