/** Spans and metrics of every lock call, for OpenTelemetry. */
module io.leasehold.opentelemetry {
  requires transitive io.leasehold;
  requires transitive io.opentelemetry.api;
  requires io.opentelemetry.context;
  requires static transitive org.jspecify;

  exports io.leasehold.opentelemetry;

  provides io.leasehold.LockListener with
      io.leasehold.opentelemetry.GlobalLockTelemetry;
}
