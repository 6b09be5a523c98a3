package io.leasehold.tck.wire;

/** The requests that a node takes. */
public enum Operation {
  GRANT,
  RAISE,
  RELEASE,
  EXTEND,
  TRANSFER,
  INSPECT,
  WATCH,
  IDENTITY
}
