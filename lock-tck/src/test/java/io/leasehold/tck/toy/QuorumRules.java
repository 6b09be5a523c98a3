package io.leasehold.tck.toy;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockNode;
import java.util.List;

/** The rules that the toy's quorum keeps. A flaw is another rule in the place of one of these. */
public class QuorumRules {

  /** The right rules. */
  public QuorumRules() {}

  /** How many votes are needed, of so many nodes, of which so many are connected. */
  public int votes(int configured, int connected) {
    return configured / 2 + 1;
  }

  /** Whether a server under two addresses is refused. */
  public boolean refusesTwins() {
    return true;
  }

  /** Whether the answers of all nodes are awaited, also when the outcome is clear. */
  public boolean awaitsAll() {
    return false;
  }

  /** Whether a node that failed so is one vote less, and no more. */
  public boolean forgives(FailureKind failure) {
    return true;
  }

  /** Whether a failed attempt is released on the nodes that have not answered yet, too. */
  public boolean releasesLateGrants() {
    return true;
  }

  /** Whether the time of the second round counts. */
  public boolean measuresAllRounds() {
    return true;
  }

  /** How many extensions are needed. */
  public int extensions(int configured) {
    return configured / 2 + 1;
  }

  /** Whether a failure, and a grant, say what each node answered. */
  public boolean namesAnswers() {
    return true;
  }

  /** How a token is found when the nodes do not agree on the proposal. */
  public TokenRule tokens() {
    return TokenRule.RAISED;
  }

  /** What happens to a lock that an extension does not find. */
  public void missing(LockNode member, String name, String owner, long ttlMillis) {}

  /** Asks the members for their votes: all of them, at once. */
  public void ask(Attempt attempt) {
    attempt.members().forEach(attempt::ask);
  }

  /** Hears of an attempt that got too few votes. */
  public void failed(Attempt attempt) {}

  /** For how long a lock is told to be busy. */
  public long busyMillis(long remaining) {
    return remaining;
  }

  /** How many rounds are told. */
  public int rounds(int taken) {
    return taken;
  }

  /** An attempt to get votes. */
  public interface Attempt {

    /** Whom to ask. */
    List<LockNode> members();

    /** The name of the lock. */
    String name();

    /** Who asks. */
    Object client();

    /** Asks one of them for its vote. */
    void ask(LockNode member);

    /** One of them votes for somebody else. */
    void miss(LockNode member);
  }

  /** How a token is found. */
  public enum TokenRule {
    /** The answer that a majority can be raised to, the lowest such first. */
    RAISED,
    /** The largest answer, to which the others are raised; who refuses is counted all the same. */
    LARGEST,
    /** The largest answer as it is. */
    LARGEST_NOT_RAISED,
    /** Whatever answer came first. */
    FIRST,
    /** The proposal, whatever was answered. */
    PROPOSAL
  }
}
