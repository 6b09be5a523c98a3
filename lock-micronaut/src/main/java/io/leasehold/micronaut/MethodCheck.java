package io.leasehold.micronaut;

import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.expressions.EvaluatedExpressionReference;
import io.micronaut.inject.ast.ClassElement;
import io.micronaut.inject.ast.ElementQuery;
import io.micronaut.inject.ast.MethodElement;
import io.micronaut.inject.ast.ParameterElement;
import io.micronaut.inject.visitor.VisitorContext;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Finds at build time what would otherwise fail at the first call. */
final class MethodCheck {
  private final MethodElement method;
  private final VisitorContext context;
  private final AnnotationValue<?> annotation;

  private MethodCheck(MethodElement method, VisitorContext context, AnnotationValue<?> annotation) {
    this.method = method;
    this.context = context;
    this.annotation = annotation;
  }

  static Optional<MethodCheck> of(
      MethodElement method, VisitorContext context, Class<? extends Annotation> type) {
    AnnotationValue<?> annotation = method.getAnnotation(type);
    return annotation == null
        ? Optional.empty()
        : Optional.of(new MethodCheck(method, context, annotation));
  }

  /**
   * The name's template; expressions are Micronaut's to check, and placeholders are not known yet.
   */
  void name(String member) {
    Object raw = annotation.getConvertibleValues().getValue(member);
    if (raw instanceof EvaluatedExpressionReference || !(raw instanceof String text)) {
      return;
    }
    List<String> parameters =
        Arrays.stream(method.getParameters()).map(ParameterElement::getName).toList();
    try {
      NameTemplate.parse(Placeholders.removed(text), parameters)
          .references()
          .forEach(this::reference);
    } catch (IllegalArgumentException e) {
      fail(String.valueOf(e.getMessage()));
    }
  }

  private void reference(NameTemplate.Reference reference) {
    ClassElement type = method.getParameters()[reference.index()].getGenericType();
    for (String step : reference.path().steps()) {
      if (!isKnown(type)) {
        return; // what it is shows at run time
      }
      Optional<ClassElement> next = property(type, step);
      if (next.isEmpty()) {
        fail(
            "'{" + reference.shown() + "}': " + type.getName() + " has no property '" + step + "'");
        return;
      }
      type = next.get();
    }
    if (type.isArray()) {
      fail("'{" + reference.shown() + "}' is an array, which cannot be a part of a name");
    }
  }

  private static boolean isKnown(ClassElement type) {
    return !type.isGenericPlaceholder() && !type.getName().equals(Object.class.getName());
  }

  private static Optional<ClassElement> property(ClassElement type, String name) {
    List<String> accessors = PropertyPath.accessors(name);
    return type
        .getEnclosedElements(ElementQuery.ALL_METHODS.onlyInstance().onlyAccessible())
        .stream()
        .filter(each -> accessors.contains(each.getName()) && !each.hasParameters())
        .findFirst()
        .map(MethodElement::getGenericReturnType)
        .or(
            () ->
                type.getBeanProperties().stream()
                    .filter(each -> each.getName().equals(name) && !each.isWriteOnly())
                    .findFirst()
                    .map(each -> each.getGenericType()));
  }

  /** The duration, if there is one and it is known already. */
  Optional<Duration> duration(String member) {
    Object raw = annotation.getConvertibleValues().getValue(member);
    if (!(raw instanceof String text) || text.isEmpty() || text.contains("${")) {
      return Optional.empty();
    }
    try {
      return Optional.of(Durations.parse(text));
    } catch (IllegalArgumentException e) {
      fail(member + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  /** A method that may not be called must be able to return nothing. */
  void skippable() {
    ClassElement type = method.getReturnType();
    if (type.isPrimitive() && !type.isVoid() && !type.isArray()) {
      fail("a method that is skipped when busy cannot return a primitive: " + type.getName());
    }
  }

  void fail(String what) {
    context.fail("@" + simpleName() + " on " + method.getName() + ": " + what, method);
  }

  private String simpleName() {
    String name = annotation.getAnnotationName();
    return name.substring(name.lastIndexOf('.') + 1);
  }
}
