package io.leasehold.micronaut;

import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.micronaut.context.ApplicationContext;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Another client of the same locks: an instance elsewhere in the fleet. */
final class Neighbour implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(30);

  private final String url = "lock:mem://" + UUID.randomUUID();
  private final LockClient client = Locks.open(url);

  /** An application whose default client has these locks. */
  ApplicationContext application(String... properties) {
    Map<String, Object> all = new HashMap<>();
    all.put("leasehold.url", url);
    for (int i = 0; i < properties.length; i += 2) {
      all.put(properties[i], properties[i + 1]);
    }
    return ApplicationContext.run(all);
  }

  String url() {
    return url;
  }

  LockClient client() {
    return client;
  }

  boolean isRefused(String name) {
    Optional<Lease> lease = client.lock(name).tryAcquire();
    lease.ifPresent(Lease::close);
    return lease.isEmpty();
  }

  Lease take(String name) {
    return client.lock(name).tryAcquire().orElseThrow();
  }

  void awaitFree(String name) {
    await().atMost(BOUND).until(() -> !isRefused(name));
  }

  @Override
  public void close() {
    client.close();
  }
}
