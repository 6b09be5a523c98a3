package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.tck.history.Simulated.Life;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Histories of locks that work are never found fault with; changed in one place, they are. */
class RandomHistoriesTest {
  private static final int SEEDS = 150;

  private static final HistoryBounds BOUNDS =
      HistoryBounds.of(Duration.ofSeconds(4), Duration.ofSeconds(3));

  private static List<Violation> violations(Simulated run) {
    return HistoryChecker.check(Written.history(run.text()), BOUNDS).violations();
  }

  @Test
  void locksThatWorkAreNeverFoundFaultWith() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Simulated run = new Simulated(seed, 4).run(60);
      assertThat(violations(run)).as("seed %s", seed).isEmpty();
    }
  }

  /** One change of a history. */
  private interface Change {
    /** Changes it, if it can; the rule that is broken then. */
    Optional<Rule> to(List<Life> lives, Random random);
  }

  private static final List<Change> CHANGES =
      List.of(
          RandomHistoriesTest::grantedTooEarly,
          RandomHistoriesTest::exchangedTokens,
          RandomHistoriesTest::sameToken,
          RandomHistoriesTest::heldAgain,
          RandomHistoriesTest::notAcknowledged,
          RandomHistoriesTest::onePermitTooMany,
          RandomHistoriesTest::heldForTooLong);

  @Test
  void oneChangeBreaksTheRuleThatItIsAgainst() {
    Map<Rule, Integer> broken = new EnumMap<>(Rule.class);
    for (long seed = 0; seed < SEEDS; seed++) {
      Simulated run = new Simulated(seed, 4).run(60);
      Random random = new Random(seed);
      Change change = CHANGES.get(random.nextInt(CHANGES.size()));
      Optional<Rule> against = change.to(run.lives, random);
      if (against.isPresent()) {
        assertThat(violations(run))
            .as("seed %s", seed)
            .anyMatch(violation -> violation.rule() == against.get());
        broken.merge(against.get(), 1, Integer::sum);
      }
    }
    assertThat(broken.keySet())
        .contains(
            Rule.OVERLAP,
            Rule.TOKEN_ORDER,
            Rule.TOKEN_REUSED,
            Rule.LEASE_REVIVED,
            Rule.UNACKNOWLEDGED_RELEASE,
            Rule.TOO_MANY_PERMITS);
  }

  private static List<Life> of(List<Life> lives, LockKind kind) {
    return lives.stream().filter(life -> life.kind == kind).toList();
  }

  /** Two in a row of which the first was held for a time. */
  private static Optional<List<Life>> neighbours(List<Life> lives, LockKind kind, Random random) {
    List<Life> some = of(lives, kind);
    List<List<Life>> pairs = new ArrayList<>();
    for (int i = 1; i < some.size(); i++) {
      Life first = some.get(i - 1);
      Life second = some.get(i);
      boolean lasts = first.claimed() - first.granted > 100_000;
      if (lasts && second.claimed() > first.claimed() && !second.killed) {
        pairs.add(List.of(first, second));
      }
    }
    return pairs.isEmpty()
        ? Optional.empty()
        : Optional.of(pairs.get(random.nextInt(pairs.size())));
  }

  private static Optional<Rule> grantedTooEarly(List<Life> lives, Random random) {
    LockKind kind = random.nextBoolean() ? LockKind.MUTEX : LockKind.WRITE;
    return neighbours(lives, kind, random)
        .map(
            pair -> {
              Life first = pair.get(0);
              Life second = pair.get(1);
              long early = first.claimed() - 1;
              second.valid += second.granted - early;
              second.granted = early;
              Life changed = new Life(second.lock, kind, second.process, early - 1, second.from);
              copy(second, changed);
              lives.set(lives.indexOf(second), changed);
              return Rule.OVERLAP;
            });
  }

  private static void copy(Life from, Life to) {
    to.granted = from.granted;
    to.token = from.token;
    to.valid = from.valid;
    to.asked.addAll(from.asked);
    to.lost = from.lost;
    to.reason = from.reason;
    to.release = from.release;
    to.released = from.released;
    to.result = from.result;
    to.killed = from.killed;
  }

  private static Optional<Rule> exchangedTokens(List<Life> lives, Random random) {
    return neighbours(lives, LockKind.MUTEX, random)
        .map(
            pair -> {
              long token = pair.get(0).token;
              pair.get(0).token = pair.get(1).token;
              pair.get(1).token = token;
              return Rule.TOKEN_ORDER;
            });
  }

  private static Optional<Rule> sameToken(List<Life> lives, Random random) {
    LockKind kind = random.nextBoolean() ? LockKind.MUTEX : LockKind.PERMIT;
    List<Life> some = of(lives, kind);
    some.get(some.size() - 1).token = some.get(random.nextInt(some.size() - 1)).token;
    return Optional.of(Rule.TOKEN_REUSED);
  }

  private static Optional<Rule> heldAgain(List<Life> lives, Random random) {
    List<Life> ended = lives.stream().filter(life -> !life.killed).toList();
    Life life = ended.get(random.nextInt(ended.size()));
    life.asked.add(Math.max(life.lost, life.released) + 1);
    return Optional.of(Rule.LEASE_REVIVED);
  }

  private static Optional<Rule> notAcknowledged(List<Life> lives, Random random) {
    List<Life> released = lives.stream().filter(life -> !life.killed && life.lost == 0).toList();
    released.get(random.nextInt(released.size())).result = "lost";
    return Optional.of(Rule.UNACKNOWLEDGED_RELEASE);
  }

  private static Optional<Rule> onePermitTooMany(List<Life> lives, Random random) {
    for (Life life : of(lives, LockKind.PERMIT)) {
      long at = life.granted + 1;
      long others =
          of(lives, LockKind.PERMIT).stream()
              .filter(other -> other.granted <= at && other.claimed() > at + 1)
              .count();
      if (others == 3) {
        Life extra = new Life(life.lock, life.kind, "extra", at - 2, at - 1);
        extra.granted = at;
        extra.token = 7;
        extra.release = at + 1;
        extra.released = at + 2;
        extra.valid = 1_000_000_000;
        lives.add(extra);
        return Optional.of(Rule.TOO_MANY_PERMITS);
      }
    }
    return Optional.empty();
  }

  /** One that lost it goes on to say that it is held when the next holds it. */
  private static Optional<Rule> heldForTooLong(List<Life> lives, Random random) {
    List<Life> some = of(lives, LockKind.MUTEX);
    for (int i = 1; i < some.size(); i++) {
      Life first = some.get(i - 1);
      Life second = some.get(i);
      if (first.lost > 0 && second.claimed() - second.granted > 1_000) {
        first.lost = 0;
        first.asked.add(second.granted + 500);
        first.release = second.granted + 501;
        first.released = second.granted + 502;
        return Optional.of(Rule.OVERLAP);
      }
    }
    return Optional.empty();
  }
}
