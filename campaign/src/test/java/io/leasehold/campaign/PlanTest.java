package io.leasehold.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.campaign.FaultKind.Track;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final Set<FaultKind> ALL = EnumSet.allOf(FaultKind.class);
  private static final Plan.Habits HABITS = new Plan.Habits(25, 14_000, 2_000);

  private static Plan plan(long seed, int seconds) {
    return Plan.of(seed, ALL, HABITS, Duration.ofSeconds(seconds));
  }

  @Test
  void thePlanIsAFunctionOfTheSeed() {
    assertThat(plan(-42, 120)).isEqualTo(plan(-42, 120));
    assertThat(plan(-42, 120).faults()).isNotEqualTo(plan(-43, 120).faults());
  }

  @Test
  void aLongerPlanBeginsAsAShorterOne() {
    List<PlannedFault> brief = plan(7, 30).faults();
    assertThat(plan(7, 200).faults().subList(0, brief.size())).isEqualTo(brief);
  }

  @Test
  void everyKindComesUpInSomePlan() {
    Set<FaultKind> seen =
        LongStream.range(0, 30)
            .boxed()
            .flatMap(seed -> plan(seed, 60).faults().stream())
            .map(PlannedFault::kind)
            .collect(Collectors.toSet());
    assertThat(seen).isEqualTo(ALL);
  }

  @Test
  void onlyWhatIsPossibleIsPlanned() {
    Plan plan = Plan.of(3, EnumSet.of(FaultKind.CUT), HABITS, Duration.ofSeconds(60));
    assertThat(plan.faults()).isNotEmpty().allMatch(fault -> fault.kind() == FaultKind.CUT);
    assertThat(plan.of(Track.LIFE)).isEmpty();
  }

  @Test
  void faultsOfOneTrackComeOneAfterTheOther() {
    for (Track track : Track.values()) {
      List<PlannedFault> faults = plan(11, 300).of(track);
      for (int i = 1; i < faults.size(); i++) {
        PlannedFault before = faults.get(i - 1);
        assertThat(faults.get(i).atMillis())
            .isGreaterThanOrEqualTo(before.atMillis() + before.forMillis());
      }
    }
  }

  @Test
  void thereIsARestInEveryMinute() {
    assertThat(plan(5, 600).faults())
        .isNotEmpty()
        .noneMatch(fault -> fault.atMillis() % 60_000 >= 40_000);
  }

  @Test
  void aFaultEveryTwoSecondsOrSo() {
    assertThat(plan(5, 120).faults()).hasSizeGreaterThan(40);
  }
}
