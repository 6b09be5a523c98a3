package io.leasehold.tck.control;

import io.leasehold.tck.Requirement;
import io.leasehold.tck.Subject;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.bench.Verifies.Needs;
import io.leasehold.tck.checks.Catalogue;
import io.leasehold.tck.checks.Check;
import io.leasehold.tck.toy.CrowdRules;
import io.leasehold.tck.toy.LineRules;
import io.leasehold.tck.toy.QuorumRules;
import io.leasehold.tck.toy.Toy;
import io.leasehold.tck.toy.ToyQuorum;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * A flaw, and what it must fail.
 *
 * @param name what is wrong, in a few words
 * @param toy makes a subject of a name
 * @param client puts the flaw around the toy's clients
 * @param runs the requirements that it is run for
 * @param fails exactly the requirements that must fail
 */
public record Control(
    String name,
    Function<String, Subject> toy,
    Interference client,
    Set<Requirement> runs,
    Set<Requirement> fails) {

  /** Groups about further kinds of lock, and about looking at locks: run for their own flaws. */
  private static final Set<String> FURTHER = Set.of("RW", "SEM", "MULTI", "INSP");

  /** A flaw of the provider. */
  static Control provider(String name, Toy.Wrapping flaw, Requirement... fails) {
    return of(name, plain -> new Toy(plain, flaw), Interference.NONE, fails);
  }

  /** A flaw of a provider with a guard. */
  static Control guard(String name, Toy.Wrapping flaw, Requirement... fails) {
    return of(name, plain -> Toy.guarded(plain, flaw), Interference.NONE, fails);
  }

  /** A flaw of fair lines; run for what is about waiting. */
  static Control line(String name, LineRules flaw, Requirement... fails) {
    Set<Requirement> runs = EnumSet.allOf(Requirement.class);
    runs.removeIf(some -> !Set.of("FAIR", "LIVE-A", "STOP", "API").contains(some.group()));
    return new Control(
        name,
        plain -> Toy.lined(plain, flaw),
        Interference.NONE,
        runs,
        EnumSet.copyOf(List.of(fails)));
  }

  /** A flaw of the client. */
  static Control client(String name, Interference flaw, Requirement... fails) {
    return of(name, Toy::flawless, flaw, fails);
  }

  private static Control of(
      String name, Function<String, Subject> toy, Interference client, Requirement... fails) {
    Set<Requirement> runs = EnumSet.allOf(Requirement.class);
    runs.removeIf(some -> FURTHER.contains(some.group()));
    return new Control(name, toy, client, runs, EnumSet.copyOf(List.of(fails)));
  }

  /** A flaw of locks that several can hold; run for the groups of what it fails. */
  static Control crowd(String name, CrowdRules flaw, Requirement... fails) {
    return of(name, plain -> Toy.crowded(plain, flaw), Interference.NONE, fails).onlyItsGroups();
  }

  /** The same, run for the groups of what it fails, and for nothing else. */
  Control onlyItsGroups() {
    Set<Requirement> some = EnumSet.allOf(Requirement.class);
    some.removeIf(each -> !fails(each.group()));
    return new Control(name, toy, client, some, fails);
  }

  /** The same, with what it is run for reduced to the groups of what it fails. */
  public Control brief() {
    Set<Requirement> fewer = EnumSet.copyOf(runs);
    fewer.removeIf(each -> !fails(each.group()));
    return new Control(name, toy, client, fewer, fails);
  }

  private boolean fails(String group) {
    return fails.stream().anyMatch(requirement -> requirement.group().equals(group));
  }

  /** A flaw of a quorum; run for all that has checks of its own on a quorum, and for tokens. */
  static Control quorum(String name, QuorumRules flaw, Requirement... fails) {
    Set<Requirement> runs = EnumSet.allOf(Requirement.class);
    runs.removeIf(requirement -> !requirement.group().equals("FENCE"));
    for (Check check : Catalogue.checks()) {
      if (check.needs().contains(Needs.QUORUM) || check.needs().contains(Needs.NODE_FAULTS)) {
        runs.addAll(check.requirements());
      }
    }
    return new Control(
        name,
        plain -> ToyQuorum.of(plain, flaw),
        Interference.NONE,
        runs,
        EnumSet.copyOf(List.of(fails)));
  }

  /** The same, not run for these groups or ids. */
  Control without(String... these) {
    Set<Requirement> fewer = EnumSet.copyOf(runs);
    List<String> out = List.of(these);
    fewer.removeIf(some -> out.contains(some.group()) || out.contains(some.id()));
    return new Control(name, toy, client, fewer, fails);
  }

  /** A subject with this flaw. */
  public Subject subject() {
    return toy.apply("control-" + name.replace(' ', '-'));
  }

  @Override
  public String toString() {
    return name;
  }
}
