package io.leasehold.micronaut;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The name of a lock with references to a method's parameters in it. Parsed once for each method,
 * at build time to be checked and at run time to be used. Thread-safe.
 */
final class NameTemplate {
  private final String text;
  private final List<Part> parts;

  private NameTemplate(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /**
   * @param text with {@code {parameter}}, {@code {parameter.property}}, {@code {0}}, and doubled
   *     braces for literal ones
   * @param parameters the names of the method's parameters, in order
   * @throws IllegalArgumentException when it is malformed, or there is no such parameter
   */
  static NameTemplate parse(String text, List<String> parameters) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      boolean doubled = at + 1 < text.length() && text.charAt(at + 1) == c;
      if ((c == '{' || c == '}') && doubled) {
        literal.append(c);
        at += 2;
      } else if (c == '{') {
        int end = text.indexOf('}', at);
        if (end < 0) {
          throw malformed(text, "a '{' has no '}'");
        }
        parts.add(new Literal(literal.toString()));
        literal.setLength(0);
        parts.add(reference(text, text.substring(at + 1, end), parameters));
        at = end + 1;
      } else if (c == '}') {
        throw malformed(text, "a '}' has no '{'");
      } else {
        literal.append(c);
        at++;
      }
    }
    parts.add(new Literal(literal.toString()));
    NameTemplate template = new NameTemplate(text, parts);
    if (template.references().isEmpty() && literal.toString().isBlank()) {
      throw malformed(text, "it is blank");
    }
    return template;
  }

  private static Reference reference(String text, String inner, List<String> parameters) {
    List<String> steps = Arrays.asList(inner.split("\\.", -1));
    String first = steps.get(0);
    boolean byIndex = !first.isEmpty() && first.chars().allMatch(c -> c >= '0' && c <= '9');
    if ((!byIndex && !isIdentifier(first))
        || !steps.stream().skip(1).allMatch(NameTemplate::isIdentifier)) {
      throw malformed(
          text, "'{" + inner + "}' is neither a parameter, nor a property of one; '{{' is a brace");
    }
    int index = byIndex ? index(first) : parameters.indexOf(first);
    if (index < 0 || index >= parameters.size()) {
      throw new IllegalArgumentException(
          "The lock's name '"
              + text
              + "' refers to '{"
              + inner
              + "}', but there is no parameter '"
              + first
              + "'; there are "
              + parameters);
    }
    return new Reference(inner, index, new PropertyPath(steps.subList(1, steps.size())));
  }

  private static int index(String digits) {
    return digits.length() > 3 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  private static boolean isIdentifier(String text) {
    return !text.isEmpty()
        && Character.isJavaIdentifierStart(text.charAt(0))
        && text.chars().allMatch(Character::isJavaIdentifierPart);
  }

  private static IllegalArgumentException malformed(String text, String why) {
    return new IllegalArgumentException("The lock's name '" + text + "' is malformed: " + why);
  }

  /** What it refers to. */
  List<Reference> references() {
    return parts.stream().filter(Reference.class::isInstance).map(Reference.class::cast).toList();
  }

  /**
   * The name for a call.
   *
   * @throws IllegalArgumentException when a value is null, or cannot be a part of a name
   */
  String render(@Nullable Object[] arguments, String method) {
    StringBuilder name = new StringBuilder();
    for (Part part : parts) {
      if (part instanceof Literal literal) {
        name.append(literal.text());
      } else if (part instanceof Reference reference) {
        name.append(value(reference, arguments, method));
      }
    }
    return name.toString();
  }

  private String value(Reference reference, @Nullable Object[] arguments, String method) {
    try {
      return reference.path().text(arguments[reference.index()]);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The lock's name '"
              + text
              + "' cannot be made for "
              + method
              + ": {"
              + reference.shown()
              + "} "
              + e.getMessage(),
          e);
    }
  }

  @Override
  public String toString() {
    return text;
  }

  private sealed interface Part permits Literal, Reference {}

  private record Literal(String text) implements Part {}

  /**
   * A parameter, or a property of one.
   *
   * @param shown as it is written
   * @param index which parameter
   * @param path which property; the parameter itself if empty
   */
  record Reference(String shown, int index, PropertyPath path) implements Part {}
}
