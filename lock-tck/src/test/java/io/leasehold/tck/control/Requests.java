package io.leasehold.tck.control;

import io.leasehold.spi.GrantRequest;

/** Requests that are changed on their way. */
final class Requests {
  private Requests() {}

  static GrantRequest withoutDeadline(GrantRequest request) {
    return new GrantRequest(
        request.name(),
        request.owner(),
        request.ttlMillis(),
        request.proposal(),
        GrantRequest.NO_DEADLINE,
        request.queueing());
  }

  static GrantRequest withOwner(GrantRequest request, String owner) {
    return new GrantRequest(
        request.name(),
        owner,
        request.ttlMillis(),
        request.proposal(),
        request.notAfter(),
        request.queueing());
  }
}
