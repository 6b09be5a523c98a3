package io.leasehold.tck.history.broken;

import io.leasehold.tck.history.Rule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** By which scenario the flaw of each control comes to light, and what is found. */
public final class Finders {

  /**
   * How a flaw is found.
   *
   * @param scenario what is done
   * @param rules what it breaks: one of these at least
   */
  public record Finder(Scenario scenario, List<Rule> rules) {}

  private static final Map<String, Finder> FINDERS = new LinkedHashMap<>();
  private static final Map<String, String> UNSEEN = new LinkedHashMap<>();

  private Finders() {}

  private static void found(String control, Scenario scenario, Rule... rules) {
    FINDERS.put(control, new Finder(scenario, List.of(rules)));
  }

  /** How the flaw of each control is found, by its name. */
  public static Map<String, Finder> found() {
    return FINDERS;
  }

  /** The controls whose flaw no history can show, and why not. */
  public static Map<String, String> unseen() {
    return UNSEEN;
  }

  /** All scenarios. */
  public static List<Scenario> scenarios() {
    return FINDERS.values().stream().map(Finder::scenario).distinct().toList();
  }

  static {
    found("check then set", ExclusionScenarios.CONTENTION, Rule.OVERLAP);
    found(
        "wall clock of the client decides about expiry",
        ExclusionScenarios.WALL_CLOCKS,
        Rule.OVERLAP);
    found("replica poses as primary", ExclusionScenarios.REPLICA, Rule.OVERLAP);
    found("blind delete", ExclusionScenarios.COPIES, Rule.OVERLAP, Rule.UNACKNOWLEDGED_RELEASE);
    found("blind extend", ExclusionScenarios.FORCE, Rule.OVERLAP);
    found("blind raise", ExclusionScenarios.FORCE_ON_A_SET, Rule.OVERLAP);
    found(
        "blind transfer",
        ExclusionScenarios.COPIES,
        Rule.OVERLAP,
        Rule.UNACKNOWLEDGED_RELEASE,
        Rule.UNEXPLAINED_LOSS);
    found(
        "owner ids that are used again",
        ExclusionScenarios.COPIES,
        Rule.OVERLAP,
        Rule.UNACKNOWLEDGED_RELEASE);
    found("lost reply counts as held", ExclusionScenarios.LOST_REPLIES, Rule.OVERLAP);
    found("eviction that a guard does not mind", ExclusionScenarios.EVICTION, Rule.OVERLAP);
    found("force that looks like theft", ExclusionScenarios.FORCE, Rule.UNEXPLAINED_LOSS);

    found("time that a reply took counts as valid", LeaseScenarios.LATE_REPLIES, Rule.OVERLAP);
    found("optimistic remaining time", LeaseScenarios.EXPIRY, Rule.OPTIMISTIC_REMAINING);
    found("loss that is told twice", LeaseScenarios.EXPIRY, Rule.LOSS_MISTOLD);
    found("suspension that goes unnoticed", LeaseScenarios.SUSPENSION, Rule.OVERLAP);
    found("maximum hold that nobody enforces", LeaseScenarios.MAX_HOLD, Rule.OVERLAP);
    found("lease that comes back", LeaseScenarios.LATE_RENEWALS, Rule.LEASE_REVIVED);
    found("extension that recreates", LeaseScenarios.LOST_RENEWALS, Rule.STARVED);
    found("quorum extension recreates", LeaseScenarios.LOST_RENEWALS_ON_A_QUORUM, Rule.STARVED);

    found("token that repeats", ExclusionScenarios.CONTENTION, Rule.TOKEN_REUSED);
    found("transfer keeps the token", ExclusionScenarios.CONTENTION, Rule.TOKEN_REUSED);
    found(
        "fence that equals the proposal counts as accepted",
        TokenScenarios.PROPOSALS,
        Rule.TOKEN_REUSED);
    found("proposals are trusted", TokenScenarios.PROPOSALS, Rule.TOKEN_ORDER);
    found("no ceiling for proposals", TokenScenarios.PROPOSALS, Rule.STARVED);
    found("proposals are taken that are not positive", TokenScenarios.PROPOSALS, Rule.STARVED);
    found("no floor once the fence has expired", TokenScenarios.LONG_PAUSE, Rule.TOKEN_ORDER);
    found("raise is not remembered", TokenScenarios.SETS, Rule.TOKEN_ORDER);
    found("largest answer is the token", TokenScenarios.FAST_SERVER, Rule.TOKEN_ORDER);
    found(
        "largest answer is the token and nobody is raised to it",
        TokenScenarios.FAST_SERVER,
        Rule.TOKEN_ORDER);
    found("first answer is the token", TokenScenarios.FAST_SERVER, Rule.TOKEN_ORDER);
    found(
        "proposal is the token whatever was answered",
        TokenScenarios.PROPOSALS_ON_A_QUORUM,
        Rule.TOKEN_ORDER,
        Rule.TOKEN_REUSED);

    found("no expiry", WaitingScenarios.CRASH, Rule.STARVED);
    found("extension takes the expiry away", WaitingScenarios.LATER_CRASH, Rule.STARVED);
    found("busy for an hour, whatever is left", WaitingScenarios.CRASH, Rule.STARVED);
    found("expiry in a second step", WaitingScenarios.CRASH_IN_BETWEEN, Rule.STARVED);
    found("deadline of a grant is ignored", WaitingScenarios.LATE_GRANTS, Rule.STARVED);
    found("requests without a deadline", WaitingScenarios.LATE_GRANTS, Rule.STARVED);
    found("giving up without cleaning up", WaitingScenarios.LEFTOVERS, Rule.STARVED);
    found(
        "new owner is not released when a hand-over failed",
        WaitingScenarios.HAND_OVERS,
        Rule.STARVED);
    found(
        "old owner is not released when a hand-over failed",
        WaitingScenarios.FAILED_HAND_OVERS,
        Rule.STARVED);
    found("renewal that does not stop", WaitingScenarios.RENEWALS, Rule.STARVED);
    found("close that releases nothing", WaitingScenarios.CLOSE, Rule.STARVED);
    found("lost wake-up", WaitingScenarios.WAKE_UPS, Rule.STARVED);
    found("watch that ends takes the next one with it", WaitingScenarios.WATCHES, Rule.STARVED);
    found("lock is kept for whoever was woken", WaitingScenarios.DEAD_WAITER, Rule.STARVED);
    found("client that never yields", WaitingScenarios.CROWD, Rule.HOARDED);

    found("scripts are loaded only once", FaultScenarios.SCRIPTS, Rule.STARVED);
    found("no new connection after a restart", FaultScenarios.RESTART, Rule.STARVED);
    found(
        "everything is forgotten at a restart", FaultScenarios.RESTART_UNDER_A_LOCK, Rule.OVERLAP);
    found("no new connection after a cut", FaultScenarios.CUT, Rule.STARVED);
    found("sulks after a time-out", FaultScenarios.PAUSE, Rule.STARVED);
    found("unknown is told as busy", FaultScenarios.DEATH, Rule.FALSE_BUSY);
    found(
        "server without a mark is taken for new",
        FaultScenarios.AMNESIA,
        Rule.OVERLAP,
        Rule.GRANT_IN_QUARANTINE);
    found("restart with data is not noticed", FaultScenarios.NEW_LIFE, Rule.GRANT_IN_QUARANTINE);
    found(
        "quarantine shorter than a lease",
        FaultScenarios.AMNESIA,
        Rule.OVERLAP,
        Rule.GRANT_IN_QUARANTINE);
    found("guarded is told as busy", FaultScenarios.NEW_LIFE, Rule.FALSE_BUSY);
    found("guard that stops extensions", FaultScenarios.NEW_LIFE, Rule.UNEXPLAINED_LOSS);
    found("raise that is not guarded", FaultScenarios.NEW_LIFE_IN_A_SET, Rule.GRANT_IN_QUARANTINE);
    found(
        "hand-over that is not guarded",
        FaultScenarios.NEW_LIFE_IN_A_HAND_OVER,
        Rule.GRANT_IN_QUARANTINE);

    found("quorum awaits every node", QuorumScenarios.SILENT_MINORITY, Rule.STARVED);
    found("dead node fails the quorum", QuorumScenarios.DEAD_MINORITY, Rule.STARVED);
    found("every node must extend", QuorumScenarios.DEAD_MINORITY, Rule.UNEXPLAINED_LOSS);
    found("majority of the connected nodes", QuorumScenarios.CHANGING_MAJORITIES, Rule.OVERLAP);
    found("half of the nodes is enough", QuorumScenarios.CHANGING_MAJORITIES, Rule.OVERLAP);
    found("same server twice in a quorum", QuorumScenarios.TWINS, Rule.OVERLAP);
    found("one extension suffices", QuorumScenarios.SHORT_OF_A_MAJORITY, Rule.OVERLAP);
    found("late votes of a failed attempt stay", QuorumScenarios.LATE_VOTES, Rule.STARVED);
    found("contenders retry in lockstep", QuorumScenarios.CROWD, Rule.STARVED);

    UNSEEN.put(
        "owner ids that count",
        "what could be guessed shows only when somebody guesses, and then it is an attack");
    UNSEEN.put(
        "busy by the clock of the client",
        "no scenario has a client with a slow clock ask for a lock that expired");
    UNSEEN.put(
        "deadline of a grant is judged before it is sent",
        "the release that a client sends when it gives up follows the late grant");
    UNSEEN.put(
        "expired entries are never removed",
        "they fill the server, and change no result that a caller sees");
    UNSEEN.put(
        "fences are forgotten at a restart",
        "a client proposes its clock, which lies above the tokens that were forgotten");
    UNSEEN.put(
        "re-entry that asks again", "it costs a message, and changes no result that a caller sees");
    UNSEEN.put(
        "validity of the first round only",
        "the engine above the quorum measures once more, and hands nothing out");
    UNSEEN.put(
        "eviction that is told to nobody", "a warning that is not given is no event of a lock");
    UNSEEN.put(
        "leases of others that are told to nobody", "as before: a warning that is not given");
    UNSEEN.put("finding without words", "as before: a warning that says nothing");
    UNSEEN.put("no findings", "as before: warnings that are not given");
  }
}
