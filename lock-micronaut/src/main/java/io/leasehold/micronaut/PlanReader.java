package io.leasehold.micronaut;

import io.leasehold.Lease;
import io.leasehold.LockOptions;
import io.micronaut.aop.MethodInvocationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.annotation.AnnotationMetadata;
import io.micronaut.core.annotation.AnnotationValue;
import io.micronaut.core.expressions.EvaluatedExpression;
import io.micronaut.core.type.Argument;
import io.micronaut.inject.annotation.EvaluatedAnnotationMetadata;
import java.lang.annotation.Annotation;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads the annotations of the method that is called; placeholders in them are resolved by then.
 */
final class PlanReader {
  private final MethodInvocationContext<?, ?> call;
  private final Class<? extends Annotation> annotation;

  private PlanReader(MethodInvocationContext<?, ?> call, Class<? extends Annotation> annotation) {
    this.call = call;
    this.annotation = annotation;
  }

  static LockPlan locked(MethodInvocationContext<?, ?> call) {
    PlanReader reader = new PlanReader(call, Locked.class);
    OnBusy onBusy = call.enumValue(Locked.class, "onBusy", OnBusy.class).orElse(OnBusy.FAIL);
    OnLost onLost = call.enumValue(Locked.class, "onLost", OnLost.class).orElse(OnLost.FAIL);
    LockOptions options =
        reader
            .duration("leaseTime")
            .map(LockOptions.defaults()::withLeaseTime)
            .orElse(LockOptions.defaults());
    return reader.plan(
        "value", reader.duration("waitTime"), options, onBusy, onLost, Duration.ZERO);
  }

  static LockPlan runOnce(MethodInvocationContext<?, ?> call) {
    PlanReader reader = new PlanReader(call, RunOnce.class);
    Duration atLeast = reader.duration("atLeast").orElse(Duration.ZERO);
    Optional<Duration> atMost = reader.duration("atMost");
    if (atMost.isPresent() && atMost.get().compareTo(atLeast) < 0) {
      throw reader.wrong("atMost is shorter than atLeast");
    }
    LockOptions renewed = LockOptions.defaults().withRenewal();
    return reader.plan(
        "name",
        Optional.of(Duration.ZERO),
        atMost.map(renewed::withMaxHold).orElse(renewed),
        OnBusy.SKIP,
        OnLost.IGNORE,
        atLeast);
  }

  private LockPlan plan(
      String nameMember,
      Optional<Duration> waitTime,
      LockOptions options,
      OnBusy onBusy,
      OnLost onLost,
      Duration atLeast) {
    Class<?> returned = call.getReturnType().getType();
    if (onBusy == OnBusy.SKIP && returned.isPrimitive() && returned != void.class) {
      throw wrong("a method that is skipped when busy cannot return a primitive: " + returned);
    }
    List<Integer> leaseParameters =
        IntStream.range(0, call.getArguments().length)
            .filter(each -> call.getArguments()[each].getType() == Lease.class)
            .boxed()
            .toList();
    String client = call.stringValue(annotation, "client").orElse("");
    return new LockPlan(
        name(nameMember), client, waitTime, options, onBusy, onLost, atLeast, leaseParameters);
  }

  private LockName name(String member) {
    if (isExpression(member)) {
      return later -> evaluated(later, annotation, member);
    }
    List<String> parameters = Arrays.stream(call.getArguments()).map(Argument::getName).toList();
    String method = described();
    try {
      String text = call.stringValue(annotation, member).orElse("");
      NameTemplate template = NameTemplate.parse(text, parameters);
      return later -> template.render(later.getParameterValues(), method);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /** Whether it is one of Micronaut's: its result is a name, with whatever braces it has. */
  private boolean isExpression(String member) {
    AnnotationMetadata metadata = call.getAnnotationMetadata();
    if (!(metadata instanceof EvaluatedAnnotationMetadata evaluated)) {
      return false;
    }
    AnnotationValue<?> value = evaluated.getAnnotationMetadata().getAnnotation(annotation);
    return value != null
        && value.getConvertibleValues().getValue(member) instanceof EvaluatedExpression;
  }

  private static String evaluated(
      MethodInvocationContext<?, ?> call, Class<? extends Annotation> annotation, String member) {
    return call.stringValue(annotation, member)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The expression for the lock's name of " + call + " gave nothing"));
  }

  private Optional<Duration> duration(String member) {
    String text = call.stringValue(annotation, member).orElse("");
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Durations.parse(text));
    } catch (IllegalArgumentException e) {
      throw wrong(member + ": " + e.getMessage());
    }
  }

  private ConfigurationException wrong(String what) {
    return new ConfigurationException(
        "@" + annotation.getSimpleName() + " on " + described() + ": " + what);
  }

  private String described() {
    return call.getDeclaringType().getSimpleName()
        + "."
        + call.getExecutableMethod().getDescription(true);
  }
}
