package io.leasehold.tck;

import io.leasehold.spi.Capability;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a requirement is tested, and so when it may be skipped. Nothing but this decides about a
 * skip: neither a check nor a subject can.
 */
public final class Testing {

  /** The ways of testing. */
  public enum Kind {
    /** With any subject. */
    CORE,
    /** With a subject that offers {@link Faults}. */
    FAULTS,
    /** With a subject that offers some other thing. */
    OFFER,
    /** With a node that declares a capability. */
    CAPABILITY,
    /** With a quorum of servers. */
    QUORUM,
    /** Not from outside. */
    UNTESTABLE
  }

  private final Kind kind;
  private final String description;
  private final BiFunction<Subject, Set<Capability>, Optional<String>> skip;

  private Testing(
      Kind kind, String description, BiFunction<Subject, Set<Capability>, Optional<String>> skip) {
    this.kind = kind;
    this.description = description;
    this.skip = skip;
  }

  static Testing core() {
    return new Testing(Kind.CORE, "with any subject", (subject, has) -> Optional.empty());
  }

  static Testing faults() {
    return new Testing(Kind.FAULTS, "with faults", (subject, has) -> missing(subject.faults()));
  }

  static Testing faultsAnd(Capability needed) {
    return new Testing(
        Kind.FAULTS,
        "with faults, and a node that declares " + needed,
        (subject, has) -> undeclared(needed, has).or(() -> missing(subject.faults())));
  }

  static Testing scriptLoss() {
    return new Testing(
        Kind.FAULTS,
        "with faults, on servers that keep scripts",
        (subject, has) ->
            missing(subject.faults()).or(() -> missing(subject.faults().get().scriptLoss())));
  }

  static Testing offer(String what, Function<Subject, Offer<?>> offer) {
    return new Testing(Kind.OFFER, "with " + what, (subject, has) -> missing(offer.apply(subject)));
  }

  static Testing capability(Capability needed) {
    return new Testing(
        Kind.CAPABILITY,
        "with a node that declares " + needed,
        (subject, has) -> undeclared(needed, has));
  }

  static Testing capabilities(Capability needed, Capability too) {
    return new Testing(
        Kind.CAPABILITY,
        "with a node that declares " + needed + " and " + too,
        (subject, has) -> undeclared(needed, has).or(() -> undeclared(too, has)));
  }

  static Testing quorum() {
    return new Testing(
        Kind.QUORUM, "with a quorum of servers", (subject, has) -> missing(subject.quorum()));
  }

  static Testing quorumAnd(Capability needed) {
    return new Testing(
        Kind.QUORUM,
        "with a quorum of servers, and a node that declares " + needed,
        (subject, has) -> missing(subject.quorum()).or(() -> undeclared(needed, has)));
  }

  static Testing untestable(String why) {
    return new Testing(Kind.UNTESTABLE, why, (subject, has) -> Optional.empty());
  }

  private static Optional<String> undeclared(Capability needed, Set<Capability> has) {
    return has.contains(needed)
        ? Optional.empty()
        : Optional.of("the node does not declare " + needed);
  }

  private static Optional<String> missing(Offer<?> offer) {
    return offer.isPresent() ? Optional.empty() : Optional.of(offer.reason());
  }

  /** The way of testing. */
  public Kind kind() {
    return kind;
  }

  /** What it takes, in words; for what cannot be tested, why not. */
  public String description() {
    return description;
  }

  /** Why it cannot be tested on this subject; empty when it can, and must, be. */
  Optional<String> skipReason(Subject subject, Set<Capability> capabilities) {
    return skip.apply(subject, capabilities);
  }
}
