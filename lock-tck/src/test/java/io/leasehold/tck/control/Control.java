package io.leasehold.tck.control;

import io.leasehold.tck.Requirement;
import io.leasehold.tck.bench.Interference;
import io.leasehold.tck.toy.Toy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A flaw, and what it must fail.
 *
 * @param name what is wrong, in a few words
 * @param guarded whether the toy has a guard
 * @param provider puts the flaw around the toy's nodes
 * @param client puts the flaw around the toy's clients
 * @param fails exactly the requirements that must fail
 */
public record Control(
    String name,
    boolean guarded,
    Toy.Wrapping provider,
    Interference client,
    Set<Requirement> fails) {

  /** A flaw of the provider. */
  static Control provider(String name, Toy.Wrapping flaw, Requirement... fails) {
    return new Control(name, false, flaw, Interference.NONE, EnumSet.copyOf(List.of(fails)));
  }

  /** A flaw of a provider with a guard. */
  static Control guard(String name, Toy.Wrapping flaw, Requirement... fails) {
    return new Control(name, true, flaw, Interference.NONE, EnumSet.copyOf(List.of(fails)));
  }

  /** A flaw of the client. */
  static Control client(String name, Interference flaw, Requirement... fails) {
    return new Control(
        name, false, (toy, node, url, context) -> node, flaw, EnumSet.copyOf(List.of(fails)));
  }

  /** A subject with this flaw. */
  public Toy subject() {
    String plain = "control-" + name.replace(' ', '-');
    return guarded ? Toy.guarded(plain, provider) : new Toy(plain, provider);
  }

  @Override
  public String toString() {
    return name;
  }
}
