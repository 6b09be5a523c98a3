package io.leasehold.engine;

import io.leasehold.LockUnavailableException;
import io.leasehold.LossReason;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NotHeld;
import java.util.List;

/** What nodes said, as evidence for a person: a quorum brings its own, a single node gets one. */
final class Answers {
  private Answers() {}

  static List<NodeAnswer> of(String node, Failed failed) {
    return failed.answers().isEmpty() ? List.of(NodeAnswer.of(node, failed)) : failed.answers();
  }

  static List<NodeAnswer> of(String node, GrantReply reply) {
    List<NodeAnswer> brought = List.of();
    if (reply instanceof Failed failed) {
      brought = failed.answers();
    } else if (reply instanceof Busy busy) {
      brought = busy.answers();
    } else if (reply instanceof Guarded guarded) {
      brought = guarded.answers();
    } else if (reply instanceof Granted granted) {
      brought = granted.answers();
    }
    return brought.isEmpty() ? List.of(NodeAnswer.of(node, reply)) : brought;
  }

  /** What it means for a holder that its lock is not its own. */
  static LossReason lossBy(NotHeld notHeld) {
    return notHeld.cause() == NotHeld.Cause.FORCED ? LossReason.FORCED : LossReason.TAKEN;
  }

  static LockUnavailableException unavailable(String message, String node, GrantReply reply) {
    Throwable cause = reply instanceof Failed failed ? failed.cause().orElse(null) : null;
    return new LockUnavailableException(message, of(node, reply), cause);
  }
}
