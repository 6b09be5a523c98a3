package io.leasehold.examples.orders;

import io.micronaut.core.annotation.Order;
import io.micronaut.core.propagation.MutablePropagatedContext;
import io.micronaut.core.propagation.ThreadPropagatedContextElement;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.RequestFilter;
import io.micronaut.http.annotation.ResponseFilter;
import io.micronaut.http.annotation.ServerFilter;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import org.jspecify.annotations.Nullable;

/**
 * A span for each request, so that those of its locks have a parent. A real service has
 * micronaut-tracing, which does that and more.
 */
@ServerFilter("/orders/**")
@Order(0)
class ServerSpans {
  private static final String SPAN = "span";

  private final OpenTelemetry openTelemetry;

  ServerSpans(OpenTelemetry openTelemetry) {
    this.openTelemetry = openTelemetry;
  }

  @RequestFilter
  void begin(HttpRequest<?> request, MutablePropagatedContext propagated) {
    Span span =
        openTelemetry
            .getTracer("orders")
            .spanBuilder(request.getMethodName() + " order")
            .setSpanKind(SpanKind.SERVER)
            .startSpan();
    request.setAttribute(SPAN, span);
    propagated.add(new Current(Context.current().with(span)));
  }

  @ResponseFilter
  void end(HttpRequest<?> request, HttpResponse<?> response) {
    request
        .getAttribute(SPAN, Span.class)
        .ifPresent(
            span -> {
              span.setAttribute("http.response.status_code", response.code());
              span.end();
            });
  }

  /** Goes with the request from thread to thread. */
  private record Current(Context context) implements ThreadPropagatedContextElement<Scope> {
    @Override
    @SuppressWarnings("MustBeClosedChecker") // whoever asked for it closes it: see below
    public Scope updateThreadContext() {
      return context.makeCurrent();
    }

    @Override
    public void restoreThreadContext(@Nullable Scope scope) {
      if (scope != null) {
        scope.close();
      }
    }
  }
}
