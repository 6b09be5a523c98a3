package io.leasehold.examples.orders;

import io.leasehold.LockTimeoutException;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import reactor.core.publisher.Mono;

/** The orders over HTTP. {@code millis} says how long the work takes: try it with long ones. */
@Controller("/orders/{id}")
class OrderController {
  private final Orders orders;

  OrderController(Orders orders) {
    this.orders = orders;
  }

  @Post("/payments")
  @ExecuteOn(TaskExecutors.BLOCKING)
  Receipt pay(String id, @QueryValue(defaultValue = "50") long millis) throws InterruptedException {
    return orders.pay(id, Duration.ofMillis(millis));
  }

  @Post("/shipments")
  Mono<Receipt> ship(String id, @QueryValue(defaultValue = "50") long millis) {
    return orders.ship(id, Duration.ofMillis(millis));
  }

  @Post("/refunds")
  CompletionStage<Receipt> refund(String id, @QueryValue(defaultValue = "50") long millis) {
    return orders.refund(id, Duration.ofMillis(millis));
  }

  @Post("/audits")
  @ExecuteOn(TaskExecutors.BLOCKING)
  HttpResponse<Receipt> audit(String id) {
    Optional<Receipt> receipt = orders.audit(id);
    return receipt.map(HttpResponse::ok).orElseGet(HttpResponse::noContent);
  }

  @Error(global = true)
  HttpResponse<String> busy(LockTimeoutException e) {
    return HttpResponse.<String>status(HttpStatus.CONFLICT).body("busy, try again");
  }
}
