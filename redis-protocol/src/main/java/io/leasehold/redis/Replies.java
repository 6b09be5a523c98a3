package io.leasehold.redis;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.LeaveReply;
import io.leasehold.spi.Left;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.ServerClock;
import io.leasehold.spi.TransferReply;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import java.util.ArrayList;
import java.util.List;

/**
 * What the scripts' replies mean. The first part is the outcome, the second the server's clock; of
 * the usual case there is only one, a text of numbers or a number. The scripts' own comments say
 * the rest. A reply that means nothing is an {@link UnreadableReplyException}.
 */
final class Replies {
  private static final String ERROR = "ERROR:";

  private Replies() {}

  /**
   * @param proposal the token that was proposed
   */
  static GrantReply grant(List<?> raw, long proposal) {
    Reply reply = new Reply(raw);
    if (reply.isDone()) {
      return new Granted(proposal, ServerClock.UNKNOWN);
    }
    if (reply.isUsual()) {
      return asProposed(reply, proposal);
    }
    return switch (reply.text(0)) {
      case "GRANTED" -> granted(reply);
      case "GUARDED" -> guarded(reply);
      case "BUSY" -> busy(reply.ofSize(3));
      case "EXPIRED" -> new Expired(reply.ofSize(2).positive(1));
      default -> throw reply.unreadable(0, "a known outcome");
    };
  }

  /** For a layout without tokens. */
  static GrantReply grantWithoutToken(List<?> raw) {
    Reply reply = new Reply(raw);
    return switch (reply.text(0)) {
      case "GRANTED" -> new Granted(Granted.NO_TOKEN, reply.ofSize(2).positive(1));
      case "BUSY" -> busy(reply.ofSize(3));
      case "EXPIRED" -> new Expired(reply.ofSize(2).positive(1));
      default -> throw reply.unreadable(0, "a known outcome");
    };
  }

  static RaiseReply raise(List<?> raw) {
    Reply reply = new Reply(raw);
    return switch (reply.text(0)) {
      case "GUARDED" -> guarded(reply);
      case "RAISED" -> new Raised(reply.ofSize(2).positive(1));
      case "REFUSED" -> new Refused(reply.ofSize(3).number(2), reply.positive(1));
      default -> throw reply.unreadable(0, "a known outcome");
    };
  }

  static ReleaseReply release(List<?> raw) {
    Reply reply = new Reply(raw);
    if (reply.isDone()) {
      return new Released(ServerClock.UNKNOWN);
    }
    return reply.text(0).equals("RELEASED")
        ? new Released(reply.ofSize(3).positive(1), reply.count(2) > 0)
        : notHeld(reply.ofSize(2));
  }

  /**
   * @param proposal the token that was proposed
   */
  static TransferReply transfer(List<?> raw, long proposal) {
    Reply reply = new Reply(raw);
    if (reply.isUsual()) {
      return asProposed(reply, proposal);
    }
    return switch (reply.text(0)) {
      case "GRANTED" -> granted(reply);
      case "GUARDED" -> guarded(reply);
      default -> notHeld(reply.ofSize(2));
    };
  }

  /** The longest quarantine, in milliseconds, that a server knows of; 0 without a guard. */
  static long longestQuarantine(List<?> granted) {
    Reply reply = new Reply(granted);
    return reply.isUsual() || reply.isDone() ? 0 : reply.number(3);
  }

  static VouchReply vouch(List<?> raw) {
    return new Vouched(expect("VOUCHED", new Reply(raw).ofSize(2)).positive(1));
  }

  static LeaveReply leave(List<?> raw) {
    return new Left(expect("LEFT", new Reply(raw).ofSize(2)).positive(1));
  }

  static InspectReply inspect(List<?> raw) {
    Reply reply = new Reply(raw).ofSize(6);
    return inspection(reply, reply.number(4), reply.count(5));
  }

  /** For a layout without tokens. */
  static InspectReply inspectHolder(List<?> raw) {
    Reply reply = new Reply(raw).ofSize(5);
    return inspection(reply, 0, reply.count(4));
  }

  private static Inspection inspection(Reply reply, long fence, int waiters) {
    long remaining = expect("INSPECTED", reply).millis(3);
    long millis = remaining < 0 ? Inspection.Holder.NO_EXPIRY : remaining;
    return new Inspection(
        reply.optionalText(2).map(owner -> new Inspection.Holder(owner, millis)),
        fence,
        waiters,
        reply.positive(1));
  }

  /** About something that several hold together. */
  static InspectReply inspectShares(List<?> raw) {
    Reply reply = expect("INSPECTED", new Reply(raw));
    List<Inspection.Holder> holders = new ArrayList<>();
    for (int i = 4; i < raw.size(); i += 2) {
      holders.add(new Inspection.Holder(reply.text(i), reply.count(i + 1)));
    }
    return new Inspection(List.copyOf(holders), reply.number(2), reply.count(3), reply.positive(1));
  }

  private static Reply expect(String outcome, Reply reply) {
    if (!reply.text(0).equals(outcome)) {
      throw reply.unreadable(0, "a known outcome");
    }
    return reply;
  }

  /** The answers to as many extensions as were asked for. */
  static List<ExtendReply> extend(List<?> raw, int asked) {
    Reply reply = new Reply(raw).ofSize(asked + 1);
    long now = reply.positive(0);
    List<ExtendReply> answers = new ArrayList<>(asked);
    for (int i = 1; i <= asked; i++) {
      String outcome = reply.text(i);
      answers.add(
          outcome.equals("EXTENDED")
              ? new Extended(now)
              : outcome.startsWith(ERROR)
                  ? Failures.of(new RedisErrorReply(outcome.substring(ERROR.length())))
                  : new NotHeld(cause(reply, i), now));
    }
    return answers;
  }

  private static Granted asProposed(Reply reply, long proposal) {
    return new Granted(proposal, reply.usualClock(), 1, List.of(), reply.usualOthers());
  }

  private static Granted granted(Reply reply) {
    reply.ofSize(5).number(3);
    return new Granted(reply.positive(2), reply.positive(1), 1, List.of(), reply.count(4));
  }

  private static Guarded guarded(Reply reply) {
    return new Guarded(reply.ofSize(3).positive(2), reply.positive(1));
  }

  private static Busy busy(Reply reply) {
    long remaining = reply.millis(2);
    return new Busy(remaining < 0 ? Busy.UNKNOWN : remaining, reply.positive(1));
  }

  private static NotHeld notHeld(Reply reply) {
    return new NotHeld(cause(reply, 0), reply.positive(1));
  }

  private static NotHeld.Cause cause(Reply reply, int index) {
    return switch (reply.text(index)) {
      case "ABSENT" -> NotHeld.Cause.ABSENT;
      case "TAKEN" -> NotHeld.Cause.TAKEN;
      case "FORCED" -> NotHeld.Cause.FORCED;
      default -> throw reply.unreadable(index, "a known outcome");
    };
  }
}
