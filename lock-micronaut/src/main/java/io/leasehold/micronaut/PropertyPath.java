package io.leasehold.micronaut;

import io.micronaut.core.beans.BeanIntrospector;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Properties one after the other, read by Micronaut's introspection where there is one, otherwise
 * by the accessor of a record or a getter. Thread-safe.
 */
final class PropertyPath {
  private final List<String> steps;
  private final Map<Step, Reader> readers = new ConcurrentHashMap<>();
  private final Map<Class<?>, Boolean> telling = new ConcurrentHashMap<>();

  PropertyPath(List<String> steps) {
    this.steps = List.copyOf(steps);
  }

  List<String> steps() {
    return steps;
  }

  /** The names of the methods that may be the accessor of a property. */
  static List<String> accessors(String property) {
    String capital = property.substring(0, 1).toUpperCase(Locale.ROOT) + property.substring(1);
    return List.of(property, "get" + capital, "is" + capital);
  }

  /**
   * The value at the end of the path as text.
   *
   * @throws IllegalArgumentException with the end of a sentence, when there is no such value
   */
  String text(@Nullable Object start) {
    Object value = start;
    for (String step : steps) {
      if (value == null) {
        throw new IllegalArgumentException("is null before '" + step + "'");
      }
      value = readers.computeIfAbsent(new Step(value.getClass(), step), Reader::of).apply(value);
    }
    if (value == null) {
      throw new IllegalArgumentException("is null");
    }
    if (!telling.computeIfAbsent(value.getClass(), PropertyPath::tells)) {
      throw new IllegalArgumentException(
          "is a "
              + value.getClass().getName()
              + ", which has no toString of its own: every object would be a lock of its own");
    }
    return value.toString();
  }

  private static boolean tells(Class<?> type) {
    try {
      return type.getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new AssertionError("every class has it", e);
    }
  }

  private record Step(Class<?> type, String property) {}

  private interface Reader extends Function<Object, @Nullable Object> {

    static Reader of(Step step) {
      return introspected(step.type(), step.property())
          .or(() -> reflected(step))
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "has no property '"
                          + step.property()
                          + "' in "
                          + step.type().getName()
                          + " that can be read"));
    }

    private static <T> Optional<Reader> introspected(Class<T> type, String name) {
      return BeanIntrospector.SHARED
          .findIntrospection(type)
          .flatMap(introspection -> introspection.getProperty(name))
          .filter(property -> !property.isWriteOnly())
          .map(property -> bean -> property.get(type.cast(bean)));
    }

    private static Optional<Reader> reflected(Step step) {
      return accessors(step.property()).stream()
          .flatMap(name -> accessor(step.type(), name))
          .findFirst()
          .map(method -> bean -> call(method, bean));
    }

    /** In the class, or in a type above it that may be used from here. */
    private static Stream<Method> accessor(Class<?> type, String name) {
      return Stream.<Class<?>>iterate(type, Objects::nonNull, each -> each.getSuperclass())
          .flatMap(each -> Stream.concat(Stream.of(each), Stream.of(each.getInterfaces())))
          .flatMap(each -> Stream.of(each.getMethods()))
          .filter(method -> method.getName().equals(name) && method.getParameterCount() == 0)
          .filter(method -> method.getReturnType() != void.class && method.trySetAccessible());
    }

    private static @Nullable Object call(Method method, Object bean) {
      try {
        return method.invoke(bean);
      } catch (InvocationTargetException e) {
        throw new IllegalStateException(method + " threw", e.getCause());
      } catch (IllegalAccessException e) {
        throw new IllegalStateException(method + " cannot be called", e);
      }
    }
  }
}
