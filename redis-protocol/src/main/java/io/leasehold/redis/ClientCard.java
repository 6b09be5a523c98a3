package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Tells people who look at locks which client holds them: a key for each client, with its name, its
 * host and its process, which is there for as long as the client is open and has been granted
 * something, and ends by itself an hour after a client that died. Nothing depends on it: it is
 * written in the background, and what goes wrong with it is nobody's business.
 */
final class ClientCard {
  private static final String KEY = "leasehold:client:";
  private static final Duration LIFE = Duration.ofHours(1);
  private static final Duration REFRESH = Duration.ofMinutes(20);
  private static final int MOST_ASKED = 64;

  /** An owner id: that of the client, a counter, and random bits. */
  private static final Pattern OWNER =
      Pattern.compile("([\\w.-]{1,64})-[0-9a-f]{1,16}-[0-9a-f]{16}");

  private final DriverPort port;
  private final ProviderContext context;
  private final Executor background;
  private final Duration bound;
  private final byte[] key;

  /** Whether it is or will be written. Read by every grant. */
  private volatile boolean begun;

  // Guarded by the monitor.
  private boolean closed;
  private Scheduler.@Nullable Task next;
  private CompletableFuture<Boolean> written = CompletableFuture.completedFuture(true);

  /**
   * @param background where the port may be called from threads that must not block
   * @param bound how long closing may take
   */
  ClientCard(DriverPort port, ProviderContext context, Executor background, Duration bound) {
    this.port = port;
    this.context = context;
    this.background = background;
    this.bound = bound;
    this.key = key(context.clientId());
  }

  /** This client has been granted something. Never blocks, and sends nothing itself. */
  void granted() {
    if (!begun) {
      begin();
    }
  }

  private synchronized void begin() {
    if (!begun && !closed) {
      begun = true;
      next = context.scheduler().schedule(this::write, 0);
    }
  }

  private synchronized void write() {
    if (closed) {
      return;
    }
    next = context.scheduler().schedule(this::write, REFRESH.toNanos());
    CompletableFuture<Boolean> writing = new CompletableFuture<>();
    try {
      background.execute(() -> write(writing));
      written = writing;
    } catch (RejectedExecutionException e) {
      // next time
    }
  }

  private void write(CompletableFuture<Boolean> writing) {
    try {
      RedisCommand set = RedisCommand.of("SET", key, text(context.client()), "PX", LIFE.toMillis());
      port.send(key, set).whenComplete((reply, error) -> writing.complete(true));
    } catch (RuntimeException e) { // nothing was sent
      writing.complete(true);
    }
  }

  /** Takes it away, if it is there. Blocks for a bounded time. */
  void close() {
    CompletableFuture<Boolean> last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      if (next == null) {
        return;
      }
      next.cancel();
      last = written;
    }
    // Not before: on another connection it would overtake what writes it.
    Ending.await(last.thenCompose(done -> port.send(key, RedisCommand.of("DEL", key))), bound);
  }

  /** An inspection, with who the holders are, as far as that is known. */
  CompletionStage<InspectReply> shown(CompletionStage<InspectReply> inspected) {
    return inspected.thenCompose(
        reply ->
            reply instanceof Inspection seen
                ? clients(seen).thenApply(known -> with(seen, known))
                : CompletableFuture.completedStage(reply));
  }

  /** Who the clients of the holders are, by their ids. */
  private CompletionStage<Map<String, ClientInfo>> clients(Inspection seen) {
    List<String> ids =
        seen.holders().stream()
            .flatMap(holder -> client(holder.owner()).stream())
            .distinct()
            .limit(MOST_ASKED)
            .toList();
    CompletionStage<Map<String, ClientInfo>> all =
        CompletableFuture.completedStage(new HashMap<>());
    if (ids.isEmpty()) {
      return all;
    }
    List<byte[]> keys = ids.stream().map(ClientCard::key).toList();
    List<CompletionStage<Object>> replies =
        port.sendAll(keys, keys.stream().map(each -> RedisCommand.of("GET", each)).toList());
    for (int i = 0; i < replies.size(); i++) {
      String id = ids.get(i);
      all =
          all.thenCombine(
              replies.get(i).handle((reply, error) -> read(id, reply)),
              (before, info) -> {
                info.ifPresent(known -> before.put(id, known));
                return before;
              });
    }
    return all;
  }

  private static Inspection with(Inspection seen, Map<String, ClientInfo> known) {
    return new Inspection(
        seen.holders().stream()
            .map(
                holder ->
                    new Inspection.Holder(
                        holder.owner(),
                        holder.remainingMillis(),
                        client(holder.owner()).map(known::get)))
            .toList(),
        seen.fence(),
        seen.waiters(),
        seen.serverMicros());
  }

  /** The client's id in an owner id; nothing if it is not one of ours. */
  static Optional<String> client(String owner) {
    Matcher matcher = OWNER.matcher(owner);
    return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private static byte[] key(String client) {
    return (KEY + client).getBytes(StandardCharsets.UTF_8);
  }

  static String text(ClientInfo info) {
    return "name="
        + URLEncoder.encode(info.name(), StandardCharsets.UTF_8)
        + "&host="
        + URLEncoder.encode(info.host(), StandardCharsets.UTF_8)
        + "&process="
        + info.process();
  }

  /** What a card says; nothing if there is none, or if it is not one. */
  static Optional<ClientInfo> read(String client, @Nullable Object reply) {
    if (!(reply instanceof byte[] bytes)) {
      return Optional.empty();
    }
    Map<String, String> said = new HashMap<>();
    try {
      for (String part : new String(bytes, StandardCharsets.UTF_8).split("&", -1)) {
        int equals = part.indexOf('=');
        said.put(
            part.substring(0, Math.max(0, equals)),
            URLDecoder.decode(part.substring(equals + 1), StandardCharsets.UTF_8));
      }
      return Optional.of(
          new ClientInfo(
              client,
              said.getOrDefault("name", ""),
              said.getOrDefault("host", ""),
              Long.parseLong(said.getOrDefault("process", ""))));
    } catch (IllegalArgumentException e) { // also a number that is none
      return Optional.empty();
    }
  }
}
