package io.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.micronaut.context.ApplicationContext;
import io.micronaut.runtime.server.EmbeddedServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ManagementTest {
  private final Neighbour neighbour = new Neighbour();
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    neighbour.close();
  }

  private EmbeddedServer server(String... properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("leasehold.url", neighbour.url());
    all.put("leasehold.options.client-name", "shop-1");
    all.put(
        "leasehold.clients.second.url", "lock:mem://second-of-" + neighbour.url().substring(11));
    all.put("micronaut.server.port", "-1");
    all.put("endpoints.health.details-visible", "ANONYMOUS");
    all.put("endpoints.locks.sensitive", "false");
    for (int i = 0; i < properties.length; i += 2) {
      all.put(properties[i], properties[i + 1]);
    }
    return ApplicationContext.run(EmbeddedServer.class, all);
  }

  private HttpResponse<String> get(EmbeddedServer server, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(server.getURL() + path)).build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void healthIsUpWhileEveryClientsServersAnswer() throws Exception {
    try (EmbeddedServer server = server()) {
      HttpResponse<String> health = get(server, "/health");
      assertThat(health.statusCode()).isEqualTo(200);
      assertThat(health.body())
          .contains("\"leasehold\":{")
          .contains("\"default\":{\"name\":\"default\",\"status\":\"UP\"")
          .contains("\"second\":{\"name\":\"second\",\"status\":\"UP\"");

      server.getApplicationContext().getBean(LockClient.class).close();
      HttpResponse<String> down = get(server, "/health");
      assertThat(down.statusCode()).isEqualTo(503);
      assertThat(down.body())
          .contains("\"default\":{\"name\":\"default\",\"status\":\"DOWN\"")
          .contains("has been closed")
          .contains("\"second\":{\"name\":\"second\",\"status\":\"UP\"")
          .doesNotContain("lock:mem");
    }
  }

  @Test
  void healthCanBeSwitchedOff() throws Exception {
    try (EmbeddedServer server = server("endpoints.health.leasehold.enabled", "false")) {
      assertThat(get(server, "/health").body()).contains("UP").doesNotContain("leasehold");
    }
  }

  @Test
  void theEndpointListsTheLocksThatAreHeld() throws Exception {
    try (EmbeddedServer server = server()) {
      LockClient locks = server.getApplicationContext().getBean(LockClient.class);
      try (Lease order = locks.lock("order:7").tryAcquire().orElseThrow();
          Lease other = neighbour.take("customer:1")) {
        assertThat(other.isHeld()).isTrue();
        String all = get(server, "/locks").body();
        assertThat(all)
            .contains("\"default\":{\"locks\":[")
            .contains("\"second\":{\"locks\":[]}")
            .contains("\"name\":\"order:7\"")
            .contains("\"name\":\"customer:1\"")
            .contains("\"client\":\"shop-1\"")
            .contains("\"token\":" + order.fencingToken())
            .contains("\"process\":" + ProcessHandle.current().pid())
            .contains("\"since\":\"2")
            .contains("\"remainingMillis\":")
            .contains("\"waiters\":0");

        assertThat(get(server, "/locks?pattern=order:*&client=default").body())
            .contains("order:7")
            .doesNotContain("customer:1")
            .doesNotContain("second");
        assertThat(get(server, "/locks?limit=1").body()).containsOnlyOnce("\"name\"");
        assertThat(get(server, "/locks?limit=0&client=nobody").body()).isEqualTo("{}");
      }
      assertThat(get(server, "/locks").body()).doesNotContain("order:7");
    }
  }

  @Test
  void aClientThatCannotTellIsToldBesideTheOthers() throws Exception {
    try (EmbeddedServer server = server()) {
      server.getApplicationContext().getBean(LockClient.class).close();
      assertThat(get(server, "/locks").body())
          .contains("\"default\":{\"error\":\"The lock client has been closed\"}")
          .contains("\"second\":{\"locks\":[]}");
    }
  }

  @Test
  void theEndpointIsSensitiveUnlessConfiguredOtherwise() throws Exception {
    try (EmbeddedServer server = server("endpoints.locks.sensitive", "true");
        Lease lease = neighbour.take("order:7")) {
      assertThat(lease.isHeld()).isTrue();
      HttpResponse<String> refused = get(server, "/locks");
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).doesNotContain("order:7");
    }
  }

  @Test
  void withoutClientsThereIsNeitherHealthNorAnEndpoint() throws Exception {
    Map<String, Object> none =
        Map.of("micronaut.server.port", "-1", "endpoints.locks.sensitive", "false");
    try (EmbeddedServer server = ApplicationContext.run(EmbeddedServer.class, none)) {
      assertThat(get(server, "/health").statusCode()).isEqualTo(200);
      assertThat(get(server, "/locks").statusCode()).isEqualTo(404);
    }
  }
}
