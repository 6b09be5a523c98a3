package io.leasehold.engine;

import io.leasehold.LockUnavailableException;
import io.leasehold.spi.Busy;
import io.leasehold.spi.Expired;
import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.Guarded;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.spi.NodeAnswer.Kind;
import java.util.List;

/** What nodes said, as evidence for a person: a quorum brings its own, a single node gets one. */
final class Answers {
  private Answers() {}

  static List<NodeAnswer> of(String node, Failed failed) {
    return failed.answers().isEmpty()
        ? List.of(new NodeAnswer(node, Kind.FAILED, failed.kind() + ": " + failed.message()))
        : failed.answers();
  }

  static List<NodeAnswer> of(String node, GrantReply reply) {
    if (reply instanceof Failed failed) {
      return of(node, failed);
    }
    if (reply instanceof Busy busy) {
      return orOne(busy.answers(), node, Kind.BUSY, "for " + busy.remainingMillis() + " ms");
    }
    if (reply instanceof Guarded guarded) {
      return orOne(
          guarded.answers(),
          node,
          Kind.GUARDED,
          "grants nothing for another " + guarded.remainingMillis() + " ms after a restart");
    }
    if (reply instanceof Granted granted) {
      return orOne(granted.answers(), node, Kind.GRANTED, "");
    }
    Expired expired = (Expired) reply;
    return List.of(
        new NodeAnswer(node, Kind.EXPIRED, "its clock shows " + expired.serverMicros() + " µs"));
  }

  private static List<NodeAnswer> orOne(
      List<NodeAnswer> answers, String node, Kind kind, String detail) {
    return answers.isEmpty() ? List.of(new NodeAnswer(node, kind, detail)) : answers;
  }

  static LockUnavailableException unavailable(String message, String node, GrantReply reply) {
    Throwable cause = reply instanceof Failed failed ? failed.cause().orElse(null) : null;
    return new LockUnavailableException(message, of(node, reply), cause);
  }
}
