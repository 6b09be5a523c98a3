package io.leasehold.campaign;

import io.leasehold.campaign.FaultKind.Track;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Which faults come when: a function of the seed, of the kinds that a topology allows, and of the
 * length. There are storms with a rest after each, so that one sees that work goes on again.
 *
 * @param seed what all was drawn from
 * @param faults in the order of their beginnings
 * @param length how long the plan goes on
 */
record Plan(long seed, List<PlannedFault> faults, Duration length) {

  private static final long CYCLE = 60_000;
  private static final long STORM = 40_000;

  Plan {
    faults = List.copyOf(faults);
  }

  /**
   * Draws a plan.
   *
   * @param kinds what may happen; their order matters as little as who asks
   * @param habits how a topology bears faults
   */
  static Plan of(long seed, Set<FaultKind> kinds, Habits habits, Duration length) {
    List<PlannedFault> all = new ArrayList<>();
    for (Track track : Track.values()) {
      List<FaultKind> possible =
          kinds.stream().filter(kind -> kind.track() == track).sorted().toList();
      if (!possible.isEmpty()) {
        // Each track from its own beginning: a kind that is new on one changes nothing on another.
        SplittableRandom random = new SplittableRandom(seed * 31 + track.name().hashCode());
        draw(all, random, possible, habits, length.toMillis());
      }
    }
    all.sort(Comparator.comparingLong(PlannedFault::atMillis).thenComparing(PlannedFault::kind));
    return new Plan(seed, all, length);
  }

  private static void draw(
      List<PlannedFault> into,
      SplittableRandom random,
      List<FaultKind> possible,
      Habits habits,
      long length) {
    List<FaultKind> costly = possible.stream().filter(FaultKind::costly).toList();
    List<FaultKind> cheap = possible.stream().filter(kind -> !kind.costly()).toList();
    long at = random.nextLong(200, 1_500);
    while (at < length) {
      if (at % CYCLE >= STORM) {
        at += CYCLE - at % CYCLE + random.nextLong(1_000);
        continue;
      }
      boolean dear =
          cheap.isEmpty() || (!costly.isEmpty() && random.nextInt(100) < habits.costlyPercent());
      List<FaultKind> from = dear ? costly : cheap;
      FaultKind kind = from.get(random.nextInt(from.size()));
      long lasts = random.nextLong(kind.shortest(), kind.longest() + 1L);
      into.add(new PlannedFault(at, kind, random.nextInt(Integer.MAX_VALUE), lasts));
      long rest = dear ? habits.restAfterCostly() : habits.rest();
      at += lasts + random.nextLong(rest / 4, rest + 1);
    }
  }

  /** The faults of one track, in order. */
  List<PlannedFault> of(Track track) {
    return faults.stream()
        .filter(fault -> fault.kind().track() == track)
        .collect(Collectors.toList());
  }

  /**
   * How a topology bears faults.
   *
   * @param costlyPercent how often a fault on the servers' lives is one with a quarantine after it
   * @param restAfterCostly the longest pause after such a fault, in milliseconds
   * @param rest the longest pause after any other
   */
  record Habits(int costlyPercent, long restAfterCostly, long rest) {}
}
