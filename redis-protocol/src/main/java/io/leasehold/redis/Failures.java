package io.leasehold.redis;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;

/** Turns what went wrong on the wire into the answer that the engine gets. */
final class Failures {

  private Failures() {}

  static Failed of(Throwable error) {
    Throwable cause = Stages.unwrap(error);
    String message = String.valueOf(cause.getMessage());
    if (cause instanceof RedisErrorReply reply) {
      return new Failed(kind(reply), "the server answered: " + message, cause);
    } else if (cause instanceof RedisConnectionFailure failure) {
      return new Failed(failure.kind(), message, cause);
    } else if (cause instanceof ServerRefused refused) {
      return new Failed(refused.kind(), message, cause);
    } else if (cause instanceof UnreadableReplyException) {
      return new Failed(FailureKind.PROTOCOL, message, cause);
    } else if (cause instanceof IllegalArgumentException) {
      return new Failed(FailureKind.OTHER, message, cause);
    }
    return new Failed(FailureKind.OTHER, "unexpected: " + cause.getClass().getSimpleName(), cause);
  }

  static FailureKind kind(RedisErrorReply reply) {
    return switch (reply.code()) {
      case "LOADING" -> FailureKind.LOADING;
      case "READONLY" -> FailureKind.READ_ONLY;
      case "OOM" -> FailureKind.OUT_OF_MEMORY;
      case "BUSY", "UNKILLABLE" -> FailureKind.BUSY_SCRIPT;
      case "NOREPLICAS" -> FailureKind.TOO_FEW_REPLICAS;
      case "MISCONF" -> FailureKind.NOT_PERSISTING;
      case "MASTERDOWN" -> FailureKind.PRIMARY_DOWN;
      case "CLUSTERDOWN" -> FailureKind.CLUSTER_DOWN;
      case "MOVED", "ASK", "TRYAGAIN" -> FailureKind.MOVED;
      case "NOAUTH", "WRONGPASS", "DENIED" -> FailureKind.NOT_AUTHENTICATED;
      case "NOPERM" -> FailureKind.NO_PERMISSION;
      case "WRONGTYPE", "LAYOUT" -> FailureKind.WRONG_TYPE;
      default -> byWords(String.valueOf(reply.getMessage()));
    };
  }

  /** For errors that the server gives no word of their own. */
  private static FailureKind byWords(String message) {
    if (message.contains("The user executing the script can't")
        || message.contains("ACL failure in script")) {
      return FailureKind.NO_PERMISSION;
    }
    if (message.contains("called without any password configured")
        || message.contains("invalid password")) {
      return FailureKind.NOT_AUTHENTICATED;
    }
    if (message.contains("max number of clients reached")) {
      return FailureKind.UNREACHABLE;
    }
    return FailureKind.OTHER;
  }
}
