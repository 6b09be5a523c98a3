package io.leasehold.micronaut;

import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.visitor.TypeElementVisitor;
import io.micronaut.inject.visitor.VisitorContext;

/**
 * Checks {@link Locked} when it is compiled, where this jar is on the path of annotation
 * processors. Called by Micronaut.
 */
public final class LockedVisitor implements TypeElementVisitor<Object, Locked> {

  /** For Micronaut. */
  public LockedVisitor() {}

  @Override
  public VisitorKind getVisitorKind() {
    return VisitorKind.ISOLATING;
  }

  @Override
  public void visitMethod(MethodElement element, VisitorContext context) {
    MethodCheck.of(element, context, Locked.class)
        .ifPresent(
            check -> {
              check.name("value");
              check.duration("waitTime");
              check.duration("leaseTime");
              if (element.enumValue(Locked.class, "onBusy", OnBusy.class).orElse(OnBusy.FAIL)
                  == OnBusy.SKIP) {
                check.skippable();
              }
            });
  }
}
