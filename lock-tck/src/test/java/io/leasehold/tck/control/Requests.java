package io.leasehold.tck.control;

import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.Granted;
import io.leasehold.spi.ReleaseRequest;

/** Requests and replies that are changed on their way. */
final class Requests {
  private Requests() {}

  static GrantRequest withoutDeadline(GrantRequest request) {
    return new GrantRequest(
        request.name(),
        request.owner(),
        request.ttlMillis(),
        request.proposal(),
        GrantRequest.NO_DEADLINE,
        request.queueing(),
        request.place());
  }

  static GrantRequest withOwner(GrantRequest request, String owner) {
    return new GrantRequest(
        request.name(),
        owner,
        request.ttlMillis(),
        request.proposal(),
        request.notAfter(),
        request.queueing(),
        request.place());
  }

  static ReleaseRequest withOwner(ReleaseRequest request, String owner) {
    return new ReleaseRequest(request.name(), owner, request.yielding());
  }

  static Granted withToken(Granted granted, long token) {
    return new Granted(
        token,
        granted.serverMicros(),
        granted.rounds(),
        granted.answers(),
        granted.othersWaiting());
  }
}
