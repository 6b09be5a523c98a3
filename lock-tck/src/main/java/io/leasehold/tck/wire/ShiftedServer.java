package io.leasehold.tck.wire;

import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.ExtendRequest;
import io.leasehold.spi.Extended;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.NotHeld;
import io.leasehold.spi.RaiseReply;
import io.leasehold.spi.RaiseRequest;
import io.leasehold.spi.Raised;
import io.leasehold.spi.Refused;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.ReleaseRequest;
import io.leasehold.spi.Released;
import io.leasehold.spi.ServerClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server whose clock is wrong: the real one, with every moment and every token that goes in or
 * comes out moved. When its clock has been put right, its fences stay where they were.
 *
 * <p>One for all clients of a check, or they would not see the same server. Meant for fences that
 * are a clock's, as tokens are; does not carry transfers or inspections, nor further kinds of lock.
 */
public final class ShiftedServer implements Tap {
  private final long wrongMicros;
  private final Map<String, Long> fences = new ConcurrentHashMap<>();
  private volatile long shiftMicros;

  /** A server whose clock is ahead, or behind when negative. */
  public ShiftedServer(Duration shift) {
    wrongMicros = shift.toNanos() / 1_000;
    shiftMicros = wrongMicros;
  }

  /** Puts its clock right. */
  public void putRight() {
    shiftMicros = 0;
  }

  /** Puts its clock wrong again. */
  public void putWrong() {
    shiftMicros = wrongMicros;
  }

  @Override
  public LockNode apply(LockNode node) {
    return new Shifted(node);
  }

  private final class Shifted extends ForwardingNode {
    Shifted(LockNode node) {
      super(node);
    }

    @Override
    public CompletionStage<GrantReply> grant(GrantRequest request) {
      long shift = shiftMicros;
      GrantRequest moved =
          new GrantRequest(
              request.name(),
              request.owner(),
              request.ttlMillis(),
              request.proposal() - shift,
              request.notAfter() == GrantRequest.NO_DEADLINE
                  ? GrantRequest.NO_DEADLINE
                  : request.notAfter() - shift,
              request.queueing(),
              request.place());
      return super.grant(moved).thenApply(reply -> moved(request.name(), reply, shift));
    }

    private GrantReply moved(String name, GrantReply reply, long shift) {
      if (reply instanceof Granted granted) {
        long given = granted.token() + shift;
        long token = fences.merge(name, given, (fence, now) -> Math.max(fence + 1, now));
        return new Granted(
            token, granted.serverMicros() + shift, 1, List.of(), granted.othersWaiting());
      }
      if (reply instanceof Busy busy) {
        return new Busy(busy.remainingMillis(), busy.serverMicros() + shift);
      }
      if (reply instanceof Guarded guarded) {
        return new Guarded(guarded.remainingMillis(), guarded.serverMicros() + shift);
      }
      return reply instanceof Expired expired ? new Expired(expired.serverMicros() + shift) : reply;
    }

    @Override
    public CompletionStage<RaiseReply> raise(RaiseRequest request) {
      long shift = shiftMicros;
      long fence = fences.getOrDefault(request.name(), 0L);
      if (request.token() < fence) {
        return super.identity().thenApply(reply -> refused(reply, fence, shift));
      }
      RaiseRequest moved =
          new RaiseRequest(request.name(), request.owner(), request.token() - shift);
      return super.raise(moved)
          .thenApply(
              reply -> {
                if (reply instanceof Raised raised) {
                  fences.merge(request.name(), request.token(), Math::max);
                  return new Raised(raised.serverMicros() + shift);
                }
                return reply instanceof Refused refused
                    ? new Refused(
                        Math.max(fence, refused.fence() + shift), refused.serverMicros() + shift)
                    : reply;
              });
    }

    private RaiseReply refused(IdentityReply reply, long fence, long shift) {
      long clock = reply instanceof Identity identity ? identity.serverMicros() : 0;
      return new Refused(fence, clock + shift);
    }

    @Override
    public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
      long shift = shiftMicros;
      return super.release(request).thenApply(reply -> moved(reply, shift));
    }

    private ReleaseReply moved(ReleaseReply reply, long shift) {
      if (reply instanceof Released released && released.serverMicros() != ServerClock.UNKNOWN) {
        return new Released(released.serverMicros() + shift, released.wokeAnother());
      }
      return reply instanceof NotHeld not
          ? new NotHeld(not.cause(), not.serverMicros() + shift)
          : reply;
    }

    @Override
    public CompletionStage<List<ExtendReply>> extend(List<ExtendRequest> requests) {
      long shift = shiftMicros;
      return super.extend(requests)
          .thenApply(replies -> replies.stream().map(reply -> moved(reply, shift)).toList());
    }

    private ExtendReply moved(ExtendReply reply, long shift) {
      if (reply instanceof Extended extended) {
        return new Extended(extended.serverMicros() + shift);
      }
      return reply instanceof NotHeld not
          ? new NotHeld(not.cause(), not.serverMicros() + shift)
          : reply;
    }

    @Override
    public CompletionStage<IdentityReply> identity() {
      long shift = shiftMicros;
      return super.identity()
          .thenApply(
              reply ->
                  reply instanceof Identity who
                      ? new Identity(who.serverId(), who.role(), who.serverMicros() + shift)
                      : reply);
    }
  }
}
