package io.leasehold.tck.history.broken;

import io.leasehold.tck.Subject;
import io.leasehold.tck.history.HistoryBounds;
import io.leasehold.tck.toy.QuorumRules;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import java.time.Duration;

/**
 * Something that clients and a nemesis do, on locks of its own. It may be done again.
 *
 * @param name what happens, in a word
 * @param on what it is done on
 * @param bounds by which its history is judged
 * @param body does it, and returns when nobody does anything any more
 */
public record Scenario(String name, On on, HistoryBounds bounds, Body body) {
  /** Long enough for a busy machine, and much shorter than what the flaws do. */
  static final Duration BOUND = Duration.ofSeconds(4);

  /** How long a fault explains failures. */
  private static final Duration SETTLING = Duration.ofSeconds(1);

  /** What a scenario is done on. */
  public enum On {
    /** One server without a guard. */
    TOY,
    /** One server with a guard. */
    GUARDED,
    /** Five servers. */
    QUORUM;

    /** A subject of the kind that has no flaw. */
    public Subject flawless(String name) {
      return switch (this) {
        case TOY -> Toy.flawless(name);
        case GUARDED -> Toy.guarded(name, (toy, node, url, context) -> node);
        case QUORUM -> ToyQuorum.of(name, new QuorumRules());
      };
    }
  }

  /** What is done. */
  @FunctionalInterface
  public interface Body {
    /** Does it. */
    void run(Workshop shop) throws Exception;
  }

  static Scenario on(On on, String name, Duration longestLease, Body body) {
    HistoryBounds bounds = HistoryBounds.of(BOUND, longestLease).withSettling(SETTLING);
    return new Scenario(
        name,
        on,
        switch (on) {
          case TOY -> bounds;
          case GUARDED -> bounds.withQuarantine(Workshop.MAX_LEASE.plusSeconds(1));
          case QUORUM -> bounds.withTolerated(2);
        },
        body);
  }

  @Override
  public String toString() {
    return name;
  }
}
