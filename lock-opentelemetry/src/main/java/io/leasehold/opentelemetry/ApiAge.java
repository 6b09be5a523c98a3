package io.leasehold.opentelemetry;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;

/**
 * What the OpenTelemetry API on the class path can be asked. A framework may bring one that is
 * older than the one this was compiled against (Micronaut 4 does): spans and metrics work with it
 * all the same, only some questions cannot be put.
 */
final class ApiAge {
  /** Whether tracers and instruments tell if anybody wants what they record. */
  static final boolean TELLS_INTEREST =
      has(() -> OpenTelemetry.noop().getTracer(LockConventions.SCOPE).isEnabled());

  /** Whether it can be seen if a global is set, without setting one. */
  static final boolean TELLS_GLOBAL =
      has(() -> GlobalOpenTelemetry.isSet()); // a method reference would fail before it is asked

  private ApiAge() {}

  private interface Question {
    boolean ask();
  }

  @SuppressWarnings("ReturnValueIgnored") // whether it can be asked is the answer
  private static boolean has(Question question) {
    try {
      question.ask();
      return true;
    } catch (NoSuchMethodError e) {
      return false;
    }
  }
}
