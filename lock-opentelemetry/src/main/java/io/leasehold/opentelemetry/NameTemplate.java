package io.leasehold.opentelemetry;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces the parts of a name that look like ids. */
final class NameTemplate {
  private static final String UUID =
      "(?<![0-9A-Za-z])[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}(?![0-9A-Za-z])";

  /** With a letter and a digit: only digits are a number, only letters may be a word. */
  private static final String HEX =
      "(?<![0-9A-Za-z])(?=[0-9]*[a-fA-F])(?=[a-fA-F]*[0-9])[0-9a-fA-F]{8,}+(?![0-9A-Za-z])";

  private static final String NUMBER = "[0-9]++";

  private static final Pattern ID = Pattern.compile("(" + UUID + ")|(" + HEX + ")|" + NUMBER);

  private NameTemplate() {}

  static String of(String lockName) {
    Matcher matcher = ID.matcher(lockName);
    return matcher.replaceAll(
        found -> found.group(1) != null ? "{uuid}" : found.group(2) != null ? "{hex}" : "{n}");
  }
}
