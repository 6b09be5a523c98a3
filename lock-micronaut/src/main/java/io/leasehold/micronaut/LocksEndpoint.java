package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.leasehold.LockException;
import io.leasehold.LockStatus;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.annotation.Nullable;
import io.micronaut.management.endpoint.annotation.Endpoint;
import io.micronaut.management.endpoint.annotation.Read;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code GET /locks?pattern=order:*&limit=100&client=default}: which plain locks are held, and by
 * whom. Sensitive unless configured otherwise ({@code endpoints.locks.sensitive}): names of locks
 * often tell about customers. Plain maps, so that every serializer can write them.
 */
@Requires(beans = LockClient.class)
@Endpoint(id = "locks", defaultSensitive = true)
class LocksEndpoint {
  private static final int USUAL_LIMIT = 100;
  private static final int HIGHEST_LIMIT = 10_000;

  private final NamedClients clients;

  LocksEndpoint(NamedClients clients) {
    this.clients = clients;
  }

  /**
   * For each client what it tells, or why it could not.
   *
   * @param pattern of names; all of them if not given
   * @param limit how many of each client at most; 100 if not given
   * @param client the name of the client to ask; all of them if not given
   */
  @Read
  @ExecuteOn(TaskExecutors.BLOCKING)
  Map<String, Object> locks(
      @Nullable String pattern, @Nullable Integer limit, @Nullable String client) {
    String wanted = pattern == null || pattern.isBlank() ? "*" : pattern;
    int most = limit == null ? USUAL_LIMIT : Math.min(Math.max(limit, 1), HIGHEST_LIMIT);
    Map<String, Object> all = new LinkedHashMap<>();
    clients
        .all()
        .forEach(
            (name, each) -> {
              if (client == null || client.equals(name)) {
                all.put(name, list(each, wanted, most));
              }
            });
    return all;
  }

  private static Map<String, Object> list(LockClient client, String pattern, int limit) {
    try {
      List<Map<String, Object>> locks =
          client.list(pattern, limit).stream().map(LocksEndpoint::shown).toList();
      return Map.of("locks", locks);
    } catch (LockException e) {
      return Map.of("error", String.valueOf(e.getMessage()));
    }
  }

  private static Map<String, Object> shown(LockStatus status) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("name", status.name());
    status.holder().ifPresent(holder -> shown.put("holder", shown(holder)));
    shown.put("waiters", status.waiters());
    return shown;
  }

  private static Map<String, Object> shown(LockStatus.Holder holder) {
    Map<String, Object> shown = new LinkedHashMap<>();
    holder.client().ifPresent(client -> shown.put("client", client));
    holder.clientId().ifPresent(id -> shown.put("clientId", id));
    holder.host().ifPresent(host -> shown.put("host", host));
    holder.process().ifPresent(process -> shown.put("process", process));
    holder.since().ifPresent(since -> shown.put("since", since.toString()));
    holder.remaining().ifPresent(left -> shown.put("remainingMillis", left.toMillis()));
    holder.token().ifPresent(token -> shown.put("token", token));
    return shown;
  }
}
