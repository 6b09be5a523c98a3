package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.async.publisher.Publishers;
import io.micronaut.core.util.StringUtils;
import io.micronaut.health.HealthStatus;
import io.micronaut.management.endpoint.health.HealthEndpoint;
import io.micronaut.management.health.indicator.HealthIndicator;
import io.micronaut.management.health.indicator.HealthResult;
import io.micronaut.scheduling.TaskExecutors;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.reactivestreams.Publisher;

/**
 * Whether the servers of every client answer: each is asked who holds a lock, and nothing is
 * changed. Down as soon as one does not answer.
 */
@Singleton
@Requires(classes = HealthIndicator.class)
@Requires(beans = {HealthEndpoint.class, LockClient.class})
@Requires(
    property = HealthEndpoint.PREFIX + ".leasehold.enabled",
    notEquals = StringUtils.FALSE,
    defaultValue = StringUtils.TRUE)
class LeaseholdHealthIndicator implements HealthIndicator {
  private static final String ASKED = "leasehold-health";
  private static final long PATIENCE_SECONDS = 5;

  private final NamedClients clients;
  private final ExecutorService blocking;

  LeaseholdHealthIndicator(
      NamedClients clients, @Named(TaskExecutors.BLOCKING) ExecutorService blocking) {
    this.clients = clients;
    this.blocking = blocking;
  }

  @Override
  public Publisher<HealthResult> getResult() {
    return Publishers.fromCompletableFuture(this::ask);
  }

  private CompletableFuture<HealthResult> ask() {
    Map<String, CompletableFuture<HealthResult>> asked = new TreeMap<>();
    clients.all().forEach((name, client) -> asked.put(name, ask(name, client)));
    return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
        .thenApply(done -> together(asked));
  }

  private CompletableFuture<HealthResult> ask(String name, LockClient client) {
    return CompletableFuture.supplyAsync(
            () -> {
              client.inspect(ASKED);
              return result(name, HealthStatus.UP, Map.of());
            },
            blocking)
        .completeOnTimeout(
            result(name, HealthStatus.DOWN, Map.of("error", "no answer in time")),
            PATIENCE_SECONDS,
            TimeUnit.SECONDS)
        .exceptionally(
            failure ->
                result(
                    name,
                    HealthStatus.DOWN,
                    Map.of("error", String.valueOf(LockedCall.unwrapped(failure).getMessage()))));
  }

  private static HealthResult together(Map<String, CompletableFuture<HealthResult>> asked) {
    Map<String, Object> details = new TreeMap<>();
    HealthStatus status = HealthStatus.UP;
    for (CompletableFuture<HealthResult> each : asked.values()) {
      HealthResult one = each.join();
      details.put(one.getName(), one);
      if (!one.getStatus().equals(HealthStatus.UP)) {
        status = HealthStatus.DOWN;
      }
    }
    return result("leasehold", status, details);
  }

  private static HealthResult result(String name, HealthStatus status, Map<String, ?> details) {
    return HealthResult.builder(name, status).details(details).build();
  }
}
