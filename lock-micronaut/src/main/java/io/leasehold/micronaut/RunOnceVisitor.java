package io.leasehold.micronaut;

import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;
import java.time.Duration;
import java.util.Optional;

/**
 * Checks {@link RunOnce} when it is compiled, where this jar is on the path of annotation
 * processors. Called by Micronaut.
 */
public final class RunOnceVisitor implements TypeElementVisitor<Object, RunOnce> {

  /** For Micronaut. */
  public RunOnceVisitor() {}

  @Override
  public VisitorKind getVisitorKind() {
    return VisitorKind.ISOLATING;
  }

  @Override
  public void visitMethod(MethodElement element, VisitorContext context) {
    MethodCheck.of(element, context, RunOnce.class).ifPresent(RunOnceVisitor::check);
  }

  private static void check(MethodCheck check) {
    check.name("name");
    check.skippable();
    Optional<Duration> atLeast = check.duration("atLeast");
    Optional<Duration> atMost = check.duration("atMost");
    if (atLeast.isPresent() && atMost.isPresent() && atMost.get().compareTo(atLeast.get()) < 0) {
      check.fail("atMost is shorter than atLeast");
    }
  }
}
