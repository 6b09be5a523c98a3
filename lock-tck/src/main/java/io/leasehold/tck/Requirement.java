package io.leasehold.tck;

import static io.leasehold.tck.Testing.capabilities;
import static io.leasehold.tck.Testing.capability;
import static io.leasehold.tck.Testing.core;
import static io.leasehold.tck.Testing.faults;
import static io.leasehold.tck.Testing.faultsAnd;
import static io.leasehold.tck.Testing.offer;
import static io.leasehold.tck.Testing.quorum;
import static io.leasehold.tck.Testing.quorumAnd;
import static io.leasehold.tck.Testing.scriptLoss;
import static io.leasehold.tck.Testing.untestable;

import io.leasehold.spi.Capability;

/**
 * What is certified. The same list, for people, is {@code docs/spec/requirements.md}; a test keeps
 * the two in step. Ids are never renumbered and never used again.
 */
public enum Requirement {
  SAFE_1("At most one valid holder of a name at any time.", "It is what a lock is for."),
  SAFE_2(
      quorum(),
      "A quorum is ⌊N/2⌋+1 of the configured nodes.",
      "Majorities of the connected nodes need not intersect."),
  SAFE_3(
      quorum(),
      "The same server twice is refused.",
      "It would vote twice, whatever addresses it has."),
  SAFE_4(
      offer("a replica", Subject::replicaUrl),
      "A replica is refused as a node.",
      "What it says is late, and what it grants is lost."),
  SAFE_5(
      "Value and expiry are set atomically.",
      "A crash between the two would leave a lock for ever."),
  SAFE_6(
      "Release, extend, raise and transfer act only for the owner that holds the lock.",
      "A late request must not harm a successor."),
  SAFE_7(
      "Every attempt has a fresh owner id, unpredictable to others.",
      "A late release of one attempt must not free the next; nobody frees what is not theirs."),
  SAFE_8(
      "Validity subtracts elapsed time and drift, over all rounds; a wall clock that is set wrong"
          + " neither ends nor prolongs a lease.",
      "The server began to count before the reply came, and clocks are set by people."),
  SAFE_9(
      "A lease is never handed out with its validity spent.",
      "Its holder would begin when somebody else may hold the lock."),
  SAFE_10(
      faultsAnd(Capability.GUARD),
      "After a restart, failover or stale restore: no grant while an earlier lease may live.",
      "The server forgot the lock, its holder did not."),
  SAFE_11(
      offer("a server that may evict locks", Subject::evictingUrl),
      "An eviction policy that may drop locks is refused, or warned of when the guard is off.",
      "An evicted lock has two holders."),
  SAFE_12("An error or a lost reply never counts as held.", "Unknown is not yes."),
  SAFE_13(
      capability(Capability.GUARD),
      "Incompatible settings of different clients (lease bound, layout) are noticed.",
      "The guard waits for the longest lease that it knows of."),
  SAFE_14(
      faults(),
      "After a restart of all servers a lock is still held and its token does not fall, or a node"
          + " that declares GUARD answers Guarded.",
      "A holder does not notice that a server restarted."),

  LIVE_A_1("A crashed holder's lock is free after its lease plus a bound.", "Holders crash."),
  LIVE_A_2(
      "A failed attempt leaves nothing on any node.",
      "What nobody knows to hold, nobody releases."),
  LIVE_A_3("No lock without an expiry, ever.", "It would outlive its holder for ever."),
  LIVE_A_4(
      "A late request grants nothing past its deadline.",
      "Its client has given up, and will not release it."),
  LIVE_A_5(
      quorum(), "Split votes resolve within a bound.", "Contenders must not starve each other."),
  LIVE_A_6(
      "Renewal stops at release, at close, and when its lease is unreachable.",
      "A watch dog without a master keeps the lock for ever."),
  LIVE_A_7(
      capability(Capability.WAKE_UPS),
      "A release wakes a waiter; a lost wake-up delays it by no more than a bound.",
      "Messages get lost, and a wake-up is one."),
  LIVE_A_8(
      capability(Capability.WAKE_UPS),
      "A dead waiter delays others by no more than a bound.",
      "Waiters crash too."),
  LIVE_A_9(
      capability(Capability.TRANSFER),
      "A client that hands a lock around among its own calls lets others in within a bound.",
      "It would never have to let it go."),
  LIVE_A_10(
      offer("a count of stored entries", Subject::storedEntries),
      "Locks and fences that have expired are removed from the servers within a bound.",
      "Names that are used once would fill the servers."),

  LIVE_B_1(
      quorum(),
      "With a minority killed, acquire and release go on.",
      "It is what a quorum is for."),
  LIVE_B_2(
      quorum(),
      "With a minority paused, acquire and release go on.",
      "A silent server is worse than a dead one."),
  LIVE_B_3(
      quorum(),
      "With a minority black-holed, acquire and release go on.",
      "A network that swallows everything tells nobody."),
  LIVE_B_4(
      quorum(), "One slow node does not set the latency.", "A majority has answered long before."),
  LIVE_B_5(
      scriptLoss(),
      "A server that forgot its scripts heals by itself.",
      "SCRIPT FLUSH and failovers happen, and are no error."),
  LIVE_B_6(
      faults(),
      "After all servers were restarted, clients recover by themselves.",
      "Nobody restarts the applications because of it."),
  LIVE_B_7(
      faults(),
      "With no server (or no quorum): a clear failure within the deadline.",
      "A caller that hangs is worse than one that fails; unknown is not busy."),
  LIVE_B_8(
      faults(),
      "After healing, clients recover within a bound.",
      "A fault that is over must not last on in the client."),

  FENCE_1(
      capability(Capability.FENCING),
      "Tokens of a name are unique.",
      "A store cannot tell two holders with one token apart."),
  FENCE_2(
      capability(Capability.FENCING),
      "Tokens strictly increase in the real-time order of grants.",
      "The store lets the newer holder win."),
  FENCE_3(
      quorumAnd(Capability.FENCING),
      "Tokens survive the loss of a minority's state.",
      "A token that falls back lets an old holder write."),
  FENCE_4(
      capability(Capability.FENCING),
      "Tokens survive the expiry of the fence.",
      "Fences must end, or one-off names fill the server."),
  FENCE_5(
      capability(Capability.FENCING),
      "A replayed request never yields a token that was given out before.",
      "Drivers repeat requests after a reconnect."),
  FENCE_6(
      capability(Capability.FENCING),
      "A client with a runaway clock is contained.",
      "One bad clock must not use up the numbers of everybody."),
  FENCE_7(
      quorumAnd(Capability.FENCING),
      "A node with a fast clock is contained.",
      "One bad server must not drag the others along."),
  FENCE_8(
      capability(Capability.FENCING),
      "Re-entry keeps the token.",
      "It is the same holder; a new token would fence off its own writes."),
  FENCE_9(
      capability(Capability.FENCING),
      "The reference store refuses stale tokens.",
      "It is what tokens are for: a holder that overslept does no harm."),
  FENCE_10(
      capability(Capability.FENCING),
      "Tokens lie in (0, 2⁵³).",
      "Larger numbers compare equal in Lua and JavaScript; 0 means none."),
  FENCE_11(
      capabilities(Capability.FENCING, Capability.TRANSFER),
      "The token of a transfer is above every earlier one, and below every later one.",
      "A lease that another call of the client handed over is a lease like any other."),

  LEASE_1(
      "Extension needs ownership (a quorum of it) and validity that never lapsed.",
      "In between, somebody else may have held the lock."),
  LEASE_2(
      "Extension never recreates a lock.",
      "It would bring a holder back after its successor came and went."),
  LEASE_3(
      "Loss is told before or when validity ends, once, with its reason.",
      "The holder must stop in time, and know why."),
  LEASE_4("Remaining validity is never optimistic.", "Holders plan with it."),
  LEASE_5(
      "A pause or suspension of the client is noticed, on the monotonic and the wall clock.",
      "A suspended machine stops its monotonic clock, not the server's."),
  LEASE_6("A maximum hold is enforced.", "A holder that hangs is renewed for ever otherwise."),
  LEASE_7(
      capability(Capability.FORCED_RELEASE),
      "A lease ended by force is told so.",
      "An operator's act is not a fault to be searched for."),

  OWN_1("Re-entry is counted; the last unlock releases.", "Existing code nests."),
  OWN_2("Unlock by a stranger throws.", "The contract of java.util.concurrent.locks.Lock."),
  OWN_3(
      "Release after loss reports LOST, close stays silent, neither harms anybody.",
      "Clean-up code runs late."),
  OWN_4("Re-entry after loss throws.", "The inner section would run without the lock."),
  OWN_5(
      "A lease works across threads, async code and virtual threads.",
      "It belongs to whoever has the object."),
  OWN_6("Two holders in one process exclude each other like strangers.", "They are strangers."),

  STOP_1(
      "Interruption is prompt (at most one command timeout), leaves nothing held, and keeps the"
          + " flag's contract.",
      "Executors stop their threads so."),
  STOP_2("A cancelled future's late grant is released.", "Nobody is left who would."),
  STOP_3(
      "Close fails waiters with a clear outcome, releases leases, stops threads.",
      "An application that ends must not keep others waiting."),
  STOP_4("Close is idempotent.", "Several owners close."),
  STOP_5(
      "Nothing (threads, connections, timers) is left behind.",
      "Leaks kill in production, not in tests."),

  API_1("tryAcquire never waits for a holder.", "It is called where waiting is wrong."),
  API_2(
      "Deadlines are kept within a tolerance, local and remote waiting together.",
      "Callers have promised somebody else an answer."),
  API_3(
      "Busy, unavailable, timed out, cancelled, lost and misconfigured are distinct.",
      "Each calls for another reaction."),
  API_4(
      "An async call blocks neither its caller nor an event loop.",
      "One blocked loop stops everybody on it."),
  API_5("The contract of java.util.concurrent.locks.Lock is kept.", "Existing code relies on it."),
  API_6(
      "The same observable results on every provider.",
      "Changing the provider must not change the application."),

  CFG_1(
      "Null, blank and too long names are refused.",
      "A name that is cut or empty is somebody else's lock."),
  CFG_2(
      "Zero, negative, overflowing and over-bound durations are refused or kept in bounds; so is a"
          + " lease not longer than its drift.",
      "Arithmetic that wraps around makes locks that never, or at once, end."),
  CFG_3(
      "Unusual Unicode, hash tags, braces and NUL in names are safe, and never become code.",
      "Names come from users."),
  CFG_4(
      "An unknown or repeated option is an error that names it.",
      "An option that is ignored silently is worse than an error."),
  CFG_5(
      "Zero, several or broken providers: the message says what to do.",
      "The search for a missing jar ends with the message."),
  CFG_6("A malformed URL is a typed error.", "It is found when the application starts, not later."),

  SEC_1(
      offer("a TLS server with another host's certificate", Subject::wrongHostTlsUrl),
      "TLS checks the host name by default.",
      "A certificate for anybody is a certificate for nobody."),
  SEC_2(
      offer("a restricted login", Subject::restrictedUrl),
      "A minimal ACL suffices, and is documented.",
      "A lock client needs no right to read everything."),
  SEC_3(
      "No secret in any message, log, span, toString or stack trace.",
      "They are copied into tickets."),
  SEC_4(
      untestable(
          "a broken server breaks the protocol of its driver, which the kit does not speak; the"
              + " provider's own tests imitate one"),
      "Whatever a server replies, a call ends in bounded time, and an error is typed.",
      "Clients must outlive their servers. What a reply costs in memory is the driver's matter."),

  OBS_1("Every loss: exactly one event with its cause.", "Losses are counted, and counted once."),
  OBS_2(
      "Acquire, wait, hold, lost, guarded and second round are observable.",
      "What cannot be seen cannot be run."),
  OBS_3("Failures name each node's answer.", "Which of five servers was it?"),
  OBS_4("Listeners that throw or block harm nothing.", "Watching must not change what is watched."),

  FAIR_1(
      capability(Capability.FAIRNESS),
      "First come, first served, across clients.",
      "Nobody waits for ever."),
  FAIR_2(
      capability(Capability.FAIRNESS),
      "A dead waiter is passed over: at once when its client is gone, after one turn (1 s) when it"
          + " hangs, however many places it has.",
      "A line must not stop at a corpse."),
  FAIR_3(
      capability(Capability.FAIRNESS),
      "Whoever asks again, or comes when it is its turn and cannot be served, keeps its place.",
      "Waiting is asking again and again; nobody must be worse off for it."),
  FAIR_4(
      capability(Capability.FAIRNESS),
      "Whoever gives up leaves the line, and costs nobody a turn.",
      "Callers have deadlines; those behind them have theirs."),
  RW_1(
      capability(Capability.READ_WRITE),
      "Readers share, a writer excludes.",
      "It is what they are for."),
  RW_2(
      capability(Capability.READ_WRITE),
      "One dead reader ends alone: nobody else's extension keeps it, and the others live on.",
      "The other readers' leases are not its own."),
  RW_3(
      capabilities(Capability.READ_WRITE, Capability.WAKE_UPS),
      "Neither writers nor readers starve; a writer that dies while it waits delays readers by no"
          + " more than a bound (5 s).",
      "Readers come without end, so do writers, and waiters crash."),
  RW_4(
      capability(Capability.READ_WRITE),
      "Downgrade is one step.",
      "Between two steps another writer comes."),
  RW_5(
      capabilities(Capability.READ_WRITE, Capability.FENCING),
      "A writer's token exceeds all earlier ones, a reader's every earlier writer's.",
      "Readers' tokens count too."),
  RW_6(
      capability(Capability.READ_WRITE),
      "The contract of java.util.concurrent.locks.ReadWriteLock is kept.",
      "Existing code relies on it."),

  SEM_1(
      capability(Capability.SEMAPHORES), "Never more than n holders.", "It is what they are for."),
  SEM_2(
      capability(Capability.SEMAPHORES),
      "A dead holder's permit comes back, alone.",
      "Holders crash."),
  SEM_3(
      capability(Capability.SEMAPHORES),
      "Changing n is safe: with a smaller one nobody gets in until there is room, and nobody loses"
          + " anything; with a larger one more get in at once.",
      "Capacity changes while work goes on."),
  SEM_4(
      capability(Capability.SEMAPHORES),
      "A permit that comes back serves one who waits.",
      "There is room, and nobody must wait for nothing."),

  MULTI_1(
      capability(Capability.SEVERAL),
      "All or none, also when one is busy or an attempt fails.",
      "Half of a set protects nothing, and nobody would release it."),
  MULTI_2(
      capability(Capability.SEVERAL),
      "Overlapping sets do not deadlock, and everybody is served.",
      "Everybody orders their locks differently."),
  MULTI_3(
      capability(Capability.SEVERAL),
      "Losing one is losing all; the rest is released.",
      "The work needed all of them."),
  MULTI_4(
      capabilities(Capability.SEVERAL, Capability.FENCING),
      "One token: larger than every earlier one of each lock, smaller than every later one.",
      "It is compared with the tokens of each of them."),

  INSP_1(
      "Inspection tells holder, remaining time, token and waiters, and changes nothing.",
      "People look before they act, and looking is not acting."),
  INSP_2(
      capability(Capability.LISTING),
      "Listing finds the locks that are held, by pattern, and nothing else.",
      "An operator who does not know the name begins there."),
  INSP_3(
      capability(Capability.FORCED_RELEASE),
      "A release by force ends the lock, its holder is told so once, and those who listen to the"
          + " one who did it hear of it.",
      "What nobody hears of cannot be audited.");

  /** How binding a requirement is. */
  public enum Level {
    /** A provider that does not meet it is not certified. */
    MUST,
    /** Reported, and no condition. */
    SHOULD
  }

  @SuppressWarnings("ImmutableEnumChecker") // it is: its functions have no state
  private final Testing testing;

  private final String text;
  private final String intent;

  Requirement(String text, String intent) {
    this(core(), text, intent);
  }

  Requirement(Testing testing, String text, String intent) {
    this.testing = testing;
    this.text = text;
    this.intent = intent;
  }

  /** The id that people cite, such as {@code LIVE-A-1}. */
  public String id() {
    return name().replace('_', '-');
  }

  /** The group: the id without its number. */
  public String group() {
    return id().substring(0, id().lastIndexOf('-'));
  }

  /** How binding it is; so far everything is a must. */
  public Level level() {
    return Level.MUST;
  }

  /** What must be true. */
  public String text() {
    return text;
  }

  /** Why it is asked for. */
  public String intent() {
    return intent;
  }

  /** How it is tested. */
  public Testing testing() {
    return testing;
  }

  @Override
  public String toString() {
    return id();
  }
}
