package io.leasehold.opentelemetry;

import io.opentelemetry.api.common.AttributeKey;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/** Reads constants of {@link LockConventions}, so that no test can forget one. */
final class Constants {
  private Constants() {}

  /** The text of all public constants of a class. */
  static List<String> strings(Class<?> type) {
    return Arrays.stream(type.getFields())
        .filter(field -> Modifier.isStatic(field.getModifiers()))
        .map(Constants::text)
        .toList();
  }

  private static String text(Field field) {
    try {
      Object value = field.get(null);
      return value instanceof AttributeKey<?> key ? key.getKey() : String.valueOf(value);
    } catch (IllegalAccessException e) {
      throw new AssertionError(e);
    }
  }
}
