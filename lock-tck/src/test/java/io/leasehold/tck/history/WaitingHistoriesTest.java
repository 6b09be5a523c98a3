package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories in which somebody waits for too long, and those nearest to them. */
class WaitingHistoriesTest {
  private static final HistoryBounds BOUNDS =
      HistoryBounds.of(Duration.ofSeconds(2), Duration.ofSeconds(10))
          .withSettling(Duration.ofSeconds(1));

  private static final String HOLDER =
      """
      process a
      0 acquire 2 1 mutex m 0
      10ms granted 2 5 9000ms
      1000ms release 2 8000ms
      1010ms released 2 released
      """;

  private static final String WAITER =
      """
      process b
      500ms acquire 2 1 mutex m 30000ms
      %s granted 2 6 9000ms
      """;

  static List<Rule> broken() {
    return List.of(Rule.STARVED, Rule.HOARDED, Rule.FALSE_BUSY, Rule.GRANT_IN_QUARANTINE);
  }

  private static List<Rule> found(HistoryBounds bounds, String text) {
    return HistoryChecker.check(Written.history(text), bounds).violations().stream()
        .map(Violation::rule)
        .toList();
  }

  private static List<Rule> found(String text) {
    return found(BOUNDS, text);
  }

  @Test
  void aWaiterIsServedWithinTheBoundOrStarves() {
    assertThat(found(HOLDER + WAITER.formatted("3000ms"))).isEmpty();
    assertThat(found(HOLDER + WAITER.formatted("3011ms"))).containsExactly(Rule.STARVED);
    assertThat(found(HistoryBounds.NONE, HOLDER + WAITER.formatted("9000ms"))).isEmpty();
  }

  @Test
  void aWaiterThatIsRefusedInTheEndStarvesToo() {
    String refused = WAITER.formatted("9000ms").replace("granted 2 6 9000ms", "refused 2 %s");
    assertThat(found(HOLDER + refused.formatted("busy"))).containsExactly(Rule.STARVED);
    assertThat(found(HOLDER + refused.formatted("unavailable"))).containsExactly(Rule.STARVED);
  }

  @Test
  void aWaiterThatIsNeverAnsweredStarvesAsLongAsItsProcessIsSeen() {
    String open = "process b\n500ms acquire 2 1 mutex m 30000ms\n%s note x\n";
    assertThat(found(HOLDER + open.formatted("3000ms"))).isEmpty();
    assertThat(found(HOLDER + open.formatted("3011ms"))).containsExactly(Rule.STARVED);
  }

  @Test
  void oneOfManyWaitersThatIsPassedOverIsNotStarvedWhileOthersHoldIt() {
    String others =
        """
        process c
        600ms acquire 2 1 mutex m 30000ms
        1020ms granted 2 6 9000ms
        5000ms release 2 8000ms
        5010ms released 2 released
        """;
    String waiter = WAITER.formatted("5100ms").replace(" 6 ", " 7 ");
    assertThat(found(HOLDER + others + waiter)).isEmpty();
    assertThat(found(HOLDER + others.replace("1020ms", "3020ms") + waiter))
        .containsExactly(Rule.STARVED);
  }

  @Test
  void aHolderThatDiedMayKeepItForALeaseTime() {
    String dead =
        """
        process a
        0 acquire 2 1 mutex m 0
        10ms granted 2 5 3000ms
        process nemesis
        1000ms fault 1 kill a
        """;
    assertThat(found(dead + WAITER.formatted("12900ms"))).isEmpty();
    assertThat(found(dead + WAITER.formatted("13100ms"))).containsExactly(Rule.STARVED);
  }

  @Test
  void aHolderThatNobodyKnowsToBeDeadMayHoldItForEver() {
    String silent =
        """
        process a
        0 acquire 2 1 mutex m 0
        10ms granted 2 5 3000ms
        """;
    assertThat(found(silent + WAITER.formatted("99000ms"))).isEmpty();
  }

  @Test
  void aLeaseThatCouldNotBeRenewedMayLiveOnForALeaseTime() {
    String lost =
        """
        process a
        0 acquire 2 1 mutex m 0
        10ms granted 2 5 3000ms
        3010ms lost 2 %s
        """;
    assertThat(found(lost.formatted("renewal_failed") + WAITER.formatted("14900ms"))).isEmpty();
    assertThat(found(lost.formatted("renewal_failed") + WAITER.formatted("15100ms")))
        .containsExactly(Rule.STARVED);
    assertThat(found(lost.formatted("expired") + WAITER.formatted("5100ms")))
        .containsExactly(Rule.STARVED);
  }

  @Test
  void closeGivesBackWhatIsHeld() {
    String closed =
        """
        process a
        0 acquire 2 1 mutex m 0
        10ms granted 2 5 9000ms
        1000ms close 1
        1010ms closed 1
        """;
    assertThat(found(closed + WAITER.formatted("3000ms"))).isEmpty();
    assertThat(found(closed + WAITER.formatted("3100ms"))).containsExactly(Rule.STARVED);
  }

  @Test
  void aFaultAndTheTimeAfterItExplainThatAWaiterWaits() {
    String fault = "process n\n2000ms fault 1 kill s\n5000ms healed 1\n";
    assertThat(found(HOLDER + WAITER.formatted("7900ms") + fault)).isEmpty();
    assertThat(found(HOLDER + WAITER.formatted("8100ms") + fault)).containsExactly(Rule.STARVED);
    assertThat(found(BOUNDS.withTolerated(1), HOLDER + WAITER.formatted("7900ms") + fault))
        .containsExactly(Rule.STARVED);
  }

  @Test
  void aFaultOfAnotherProcessExplainsNothing() {
    String fault = "process n\n500ms fault 1 pause %s\n5000ms healed 1\n";
    assertThat(found(HOLDER + WAITER.formatted("4900ms") + fault.formatted("b"))).isEmpty();
    assertThat(
            found(
                HOLDER
                    + WAITER.formatted("4900ms")
                    + fault.formatted("c")
                    + "process c\n10ms note x\n"))
        .containsExactly(Rule.STARVED);
  }

  @Test
  void permitsThatAreFreeAreGiven() {
    String one =
        HOLDER.replace("mutex", "permit:2").replace("1000ms", "8000ms").replace("1010ms", "8010ms");
    assertThat(found(one + WAITER.formatted("2400ms").replace("mutex", "permit:2"))).isEmpty();
    assertThat(found(one + WAITER.formatted("2600ms").replace("mutex", "permit:2")))
        .containsExactly(Rule.STARVED);
    assertThat(
            found(
                one.replace("permit:2", "permit:1")
                    + WAITER.formatted("8600ms").replace("mutex", "permit:1")))
        .isEmpty();
  }

  @Test
  void callsThatFailInARowWhenNothingIsWrongAreOneStarvingClient() {
    StringBuilder failing = new StringBuilder("process a\n");
    for (int i = 0; i < 5; i++) {
      failing.append("%sms acquire %s 1 mutex m 0\n".formatted(1000 + 600 * i, 2 + i));
      failing.append("%sms refused %s unavailable\n".formatted(1010 + 600 * i, 2 + i));
    }
    String text = failing.toString();
    assertThat(found(text)).containsExactly(Rule.STARVED);
    assertThat(found(text.replace("2210ms refused 4 unavailable", "2210ms refused 4 busy")))
        .doesNotContain(Rule.STARVED);
    assertThat(found(text + "process n\n2000ms fault 1 kill s\n2001ms healed 1\n")).isEmpty();
  }

  @Test
  void aClientThatTakesItAgainAndAgainHoardsIt() {
    assertThat(found(hoarding(25, 100, 2_600))).containsExactly(Rule.HOARDED);
    assertThat(found(hoarding(25, 60, 1_600))).isEmpty();
    assertThat(found(hoarding(10, 300, 3_100))).isEmpty();
  }

  private static String hoarding(int times, int everyMillis, int servedMillis) {
    StringBuilder text = new StringBuilder("process a\n");
    for (int i = 0; i < times; i++) {
      int id = 2 + i;
      int at = 10 + i * everyMillis;
      text.append("%sms acquire %s 1 mutex m 9000ms\n".formatted(at, id));
      text.append("%sms granted %s %s 9000ms\n".formatted(at + 1, id, 100 + i));
      text.append("%sms release %s 8000ms\n".formatted(at + everyMillis - 2, id));
      text.append("%sms released %s released\n".formatted(at + everyMillis - 1, id));
    }
    text.append("process b\n2ms acquire 2 1 mutex m 9000ms\n");
    text.append("%sms granted 2 900 9000ms\n".formatted(servedMillis));
    return text.toString();
  }

  @Test
  void nobodyIsToldBusyWhenNobodyCanHoldIt() {
    String alone = "process a\n50000ms acquire 2 1 mutex m 0\n50010ms refused 2 busy\n";
    assertThat(found(alone)).containsExactly(Rule.FALSE_BUSY);
    assertThat(found(alone.replace("busy", "unavailable"))).isEmpty();
    assertThat(found(alone.replace("mutex m", "mutex m,n"))).isEmpty(); // because of the other
    assertThat(found(alone + "process b\n50009ms acquire 2 1 mutex m 0\n")).isEmpty();
    assertThat(found(alone + "process b\n50011ms acquire 2 1 mutex m 0\n"))
        .containsExactly(Rule.FALSE_BUSY);
    assertThat(found(alone + HOLDER.replace("process a", "process b")))
        .containsExactly(Rule.FALSE_BUSY);
    assertThat(
            found(
                alone
                    + "process b\n100ms acquire 2 1 mutex m 0\n"
                    + "40000ms refused 2 unavailable\n"))
        .isEmpty();
    assertThat(found(alone + "process n\n10ms fault 1 clock-back s\n20ms healed 1\n")).isEmpty();
  }

  @Test
  void serversThatRestartedGrantNothingForAWhile() {
    HistoryBounds guarded = BOUNDS.withQuarantine(Duration.ofSeconds(11));
    String restart = "process n\n1000ms fault 1 restart-empty *\n1500ms healed 1\n";
    String call =
        """
        process a
        %sms acquire 2 1 mutex m 20000ms
        %sms granted 2 5 9000ms
        """;
    assertThat(found(guarded, restart + call.formatted(1600, 1601)))
        .containsExactly(Rule.GRANT_IN_QUARANTINE);
    assertThat(found(guarded, restart + call.formatted(1600, 12_001))).isEmpty();
    assertThat(found(guarded, restart + call.formatted(900, 1_700))).isEmpty();
    assertThat(found(guarded, restart + call.formatted(900, 3_600)))
        .containsExactly(Rule.GRANT_IN_QUARANTINE);
    assertThat(found(restart + call.formatted(1600, 1601))).isEmpty();
  }
}
