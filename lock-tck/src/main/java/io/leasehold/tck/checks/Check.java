package io.leasehold.tck.checks;

import io.leasehold.tck.Requirement;
import io.leasehold.tck.Testing;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Verifies;
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
 */
public record Check(
    Object group,
    Method method,
    Set<Requirement> requirements,
    Duration timeout,
    Verifies.Company company) {

  static Check of(Object group, Method method, Verifies verifies) {
    Class<?>[] parameters = method.getParameterTypes();
    if (parameters.length != 1 || parameters[0] != Bench.class) {
      throw new IllegalStateException(method + " must take a Bench, and nothing else");
    }
    method.setAccessible(true); // the groups are nobody's business
    Set<Requirement> requirements = EnumSet.noneOf(Requirement.class);
    requirements.addAll(Set.of(verifies.value()));
    boolean faults = requirements.stream().anyMatch(r -> r.testing().kind() == Testing.Kind.FAULTS);
    return new Check(
        group,
        method,
        requirements,
        Duration.ofSeconds(verifies.seconds()),
        faults ? Verifies.Company.NONE : verifies.company());
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
