package io.leasehold.opentelemetry;

import io.leasehold.LockListener.AcquireCall;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.jspecify.annotations.Nullable;

/**
 * A call as spans may show it.
 *
 * @param common the attributes that metrics have as well
 * @param name the lock's name as it is shown; null when it is hidden
 */
record ShownCall(AcquireCall call, Attributes common, @Nullable String name) {

  /** What every span of the call tells. */
  SpanBuilder on(SpanBuilder span) {
    span.setAllAttributes(common);
    if (name != null) {
      span.setAttribute(Keys.NAME, name);
    }
    return span.setAttribute(Keys.NODE, call.node());
  }

  /** An exception, as OpenTelemetry records it. */
  Attributes exception(Throwable failure) {
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace, true));
    return Attributes.of(
        Keys.EXCEPTION_TYPE, failure.getClass().getName(),
        Keys.EXCEPTION_MESSAGE, text(String.valueOf(failure.getMessage())),
        Keys.EXCEPTION_STACKTRACE, text(trace.toString()));
  }

  /** A message about the call: messages quote the lock's name, and it may not be shown. */
  String text(String message) {
    return message.replace(
        "'" + call.lockName() + "'", name == null ? "(name hidden)" : "'" + name + "'");
  }
}
