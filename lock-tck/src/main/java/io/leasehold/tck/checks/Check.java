package io.leasehold.tck.checks;

import io.leasehold.spi.Capability;
import io.leasehold.tck.Requirement;
import io.leasehold.tck.Subject;
import io.leasehold.tck.Testing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Verifies;
import io.leasehold.tck.bench.Verifies.Needs;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * One check: a method of a group, and what it verifies.
 *
 * @param group the group that it is a method of
 * @param method the method
 * @param requirements what fails when it does
 * @param timeout how long it may take
 * @param company with whom it may run at the same time
 * @param needs what the subject must have for it
 */
public record Check(
    Object group,
    Method method,
    Set<Requirement> requirements,
    Duration timeout,
    Verifies.Company company,
    Set<Needs> needs) {

  static Check of(Object group, Method method, Verifies verifies) {
    Class<?>[] parameters = method.getParameterTypes();
    if (parameters.length != 1 || parameters[0] != Bench.class) {
      throw new IllegalStateException(method + " must take a Bench, and nothing else");
    }
    method.setAccessible(true); // the groups are nobody's business
    Set<Requirement> requirements = EnumSet.noneOf(Requirement.class);
    requirements.addAll(Set.of(verifies.value()));
    Set<Needs> needs = EnumSet.noneOf(Needs.class);
    needs.addAll(Set.of(verifies.needs()));
    if (requirements.stream().anyMatch(r -> r.testing().kind() == Testing.Kind.QUORUM)) {
      needs.add(Needs.QUORUM);
    }
    boolean faults =
        needs.contains(Needs.NODE_FAULTS)
            || needs.contains(Needs.FAULTS)
            || requirements.stream().anyMatch(r -> r.testing().kind() == Testing.Kind.FAULTS);
    return new Check(
        group,
        method,
        requirements,
        Duration.ofSeconds(verifies.seconds()),
        faults ? Verifies.Company.NONE : verifies.company(),
        needs);
  }

  /** Whether a subject has what this check needs. */
  public boolean suits(Subject subject, Set<Capability> capabilities) {
    return needs.stream()
        .allMatch(
            need ->
                switch (need) {
                  case QUORUM, NODE_FAULTS -> subject.quorum().isPresent();
                  case FAULTS -> subject.faults().isPresent();
                  case FENCING -> capabilities.contains(Capability.FENCING);
                  case TRANSFER -> capabilities.contains(Capability.TRANSFER);
                  case WAKE_UPS -> capabilities.contains(Capability.WAKE_UPS);
                  case FORCED_RELEASE -> capabilities.contains(Capability.FORCED_RELEASE);
                });
  }

  /** Its name as a sentence. */
  public String sentence() {
    return method.getName().replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
  }

  /** Runs it. Whatever it throws is what it found. */
  public void run(Bench bench) throws Throwable {
    try {
      method.invoke(group, bench);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
