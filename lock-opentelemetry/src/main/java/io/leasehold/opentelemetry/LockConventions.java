package io.leasehold.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import java.util.List;

/**
 * Every name that this module sends to OpenTelemetry, for views, samplers and tests. {@code
 * docs/telemetry.md} explains each, with its values, unit and cardinality; a test keeps the two in
 * step.
 */
public final class LockConventions {
  private LockConventions() {}

  /** The instrumentation scope of all spans and metrics. */
  public static final String SCOPE = "io.leasehold";

  /** Stands for a value that would be one too many, or could not be had. */
  public static final String OTHER = "_OTHER";

  /** Names of spans. */
  public static final class Spans {
    private Spans() {}

    /** From the call to its outcome. */
    public static final String ACQUIRE = "leasehold acquire";

    /** From the grant to the end of the lease. */
    public static final String HOLD = "leasehold hold";

    /** From giving the lease back to the answer. */
    public static final String RELEASE = "leasehold release";
  }

  /** Names of events in spans. */
  public static final class Events {
    private Events() {}

    /** An attempt was answered with something other than a grant. */
    public static final String ATTEMPT = "leasehold.acquire.attempt";

    /** The call began to wait. */
    public static final String WAITING = "leasehold.acquire.waiting";

    /** The waiting call was woken by a release. */
    public static final String WOKEN = "leasehold.acquire.woken";

    /** The lease was renewed. */
    public static final String RENEWED = "leasehold.lease.renewed";

    /** A renewal was not confirmed. */
    public static final String RENEWAL_FAILED = "leasehold.lease.renewal_failed";

    /** What went wrong, as OpenTelemetry records exceptions. */
    public static final String EXCEPTION = "exception";
  }

  /** Keys of attributes. */
  public static final class Keys {
    private Keys() {}

    /** The provider's name. */
    public static final AttributeKey<String> PROVIDER =
        AttributeKey.stringKey("leasehold.provider");

    /** How its servers work together. */
    public static final AttributeKey<String> TOPOLOGY =
        AttributeKey.stringKey("leasehold.topology");

    /** The label of the node that serves the call: hosts and ports. */
    public static final AttributeKey<String> NODE = AttributeKey.stringKey("leasehold.node");

    /** What is acquired. */
    public static final AttributeKey<String> KIND = AttributeKey.stringKey("leasehold.lock.kind");

    /** The lock's name, as {@link LockNames} shows it. */
    public static final AttributeKey<String> NAME = AttributeKey.stringKey("leasehold.lock.name");

    /** The fencing token of the lease. */
    public static final AttributeKey<Long> TOKEN =
        AttributeKey.longKey("leasehold.lock.fencing_token");

    /** Why the lease was lost. */
    public static final AttributeKey<String> LOSS_REASON =
        AttributeKey.stringKey("leasehold.lock.loss_reason");

    /** How the call ended. */
    public static final AttributeKey<String> OUTCOME =
        AttributeKey.stringKey("leasehold.acquire.outcome");

    /** How the caller waits. */
    public static final AttributeKey<String> MODE =
        AttributeKey.stringKey("leasehold.acquire.mode");

    /** For how many seconds the caller is willing to wait. */
    public static final AttributeKey<Double> MAX_WAIT =
        AttributeKey.doubleKey("leasehold.acquire.max_wait");

    /** How many answers the call got, the grant included. */
    public static final AttributeKey<Long> ATTEMPTS =
        AttributeKey.longKey("leasehold.acquire.attempt_count");

    /** How many rounds of messages the grant took. */
    public static final AttributeKey<Long> ROUNDS =
        AttributeKey.longKey("leasehold.acquire.round_count");

    /** What one attempt was answered with. */
    public static final AttributeKey<String> ATTEMPT_OUTCOME =
        AttributeKey.stringKey("leasehold.attempt.outcome");

    /** What each member of a quorum said, as {@code node=answer}. */
    public static final AttributeKey<List<String>> VOTES =
        AttributeKey.stringArrayKey("leasehold.quorum.votes");

    /** How many members of a quorum granted. */
    public static final AttributeKey<Long> GRANTED =
        AttributeKey.longKey("leasehold.quorum.granted_count");

    /** How many members a quorum has. */
    public static final AttributeKey<Long> QUORUM_SIZE =
        AttributeKey.longKey("leasehold.quorum.size");

    /** The member of a quorum that gave a vote. */
    public static final AttributeKey<String> VOTE_NODE =
        AttributeKey.stringKey("leasehold.vote.node");

    /** What that member said. */
    public static final AttributeKey<String> VOTE_ANSWER =
        AttributeKey.stringKey("leasehold.vote.answer");

    /** Whether a renewal was confirmed. */
    public static final AttributeKey<String> RENEWAL_RESULT =
        AttributeKey.stringKey("leasehold.renewal.result");

    /** How the lease ended. */
    public static final AttributeKey<String> LEASE_END =
        AttributeKey.stringKey("leasehold.lease.end");

    /** OpenTelemetry's own: the class of an error. */
    public static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

    /** OpenTelemetry's own: the class of an exception. */
    public static final AttributeKey<String> EXCEPTION_TYPE =
        AttributeKey.stringKey("exception.type");

    /** OpenTelemetry's own: the message of an exception. */
    public static final AttributeKey<String> EXCEPTION_MESSAGE =
        AttributeKey.stringKey("exception.message");

    /** OpenTelemetry's own: the stack trace of an exception. */
    public static final AttributeKey<String> EXCEPTION_STACKTRACE =
        AttributeKey.stringKey("exception.stacktrace");
  }

  /** Names of metrics. */
  public static final class Metrics {
    private Metrics() {}

    /** How long calls took, by outcome. */
    public static final String ACQUIRE_DURATION = "leasehold.lock.acquire.duration";

    /** How long leases were held, by their end. */
    public static final String HOLD_DURATION = "leasehold.lock.hold.duration";

    /** Leases held now. */
    public static final String HELD = "leasehold.lock.held";

    /** Calls waiting now. */
    public static final String WAITING = "leasehold.lock.waiting";

    /** Renewals, by result. */
    public static final String RENEWALS = "leasehold.lock.renewals";

    /** Leases lost, by reason. */
    public static final String LOSSES = "leasehold.lock.losses";

    /** Waiting calls woken by a release. */
    public static final String WAKEUPS = "leasehold.lock.wakeups";

    /** Answers of a quorum's members to requests for a lock, by member and answer. */
    public static final String VOTES = "leasehold.lock.votes";
  }

  /** Units of metrics. */
  public static final class Units {
    private Units() {}

    /** Seconds. */
    public static final String SECONDS = "s";

    /** Leases. */
    public static final String LEASES = "{lease}";

    /** Calls that acquire. */
    public static final String CALLS = "{call}";

    /** Renewals. */
    public static final String RENEWALS = "{renewal}";

    /** Wake-ups. */
    public static final String WAKEUPS = "{wakeup}";

    /** Votes. */
    public static final String VOTES = "{vote}";
  }
}
