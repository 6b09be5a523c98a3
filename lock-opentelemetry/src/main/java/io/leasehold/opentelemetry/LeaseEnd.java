package io.leasehold.opentelemetry;

/** How a lease ended. */
enum LeaseEnd {
  RELEASED,
  /** Given back by its holder, but the server did not confirm it. */
  UNCONFIRMED,
  LOST;

  /** The value of the attribute. */
  String value() {
    return Outcome.value(this);
  }
}
