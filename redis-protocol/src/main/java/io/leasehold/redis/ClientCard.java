package io.leasehold.redis;

import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.InspectReply;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Shows people who look at locks which client holds them: a key for each client, with its name, its
 * host and its process, which is there for as long as the client is open and has been granted
 * something, and ends by itself an hour after a client that died. Nothing depends on it: it is
 * written in the background, and its failures are ignored.
 */
final class ClientCard {
  private static final String KEY = "leasehold:client:";
  private static final Duration LIFE = Duration.ofHours(1);
  private static final Duration REFRESH = Duration.ofMinutes(20);
  private static final int MOST_ASKED = 64;

  /** An owner id: that of the client, a counter, and random bits. */
  private static final Pattern OWNER =
      Pattern.compile("([\\w.-]{1,64})-[0-9a-f]{1,16}-[0-9a-f]{16}");

  private static final Pattern CARD =
      Pattern.compile("name=([^&]*)&host=([^&]*)&process=(\\d{1,18})(?:&.*)?");

  private final Servers servers;
  private final ProviderContext context;
  private final Duration bound;
  private final byte[] key;

  /** Whether it is or will be written. Read by every grant. */
  private volatile boolean begun;

  // Guarded by the monitor.
  private boolean closed;
  private Scheduler.@Nullable Task next;
  private CompletableFuture<?> written = CompletableFuture.completedFuture(true);

  /**
   * @param bound how long closing may take
   */
  ClientCard(Servers servers, ProviderContext context, Duration bound) {
    this.servers = servers;
    this.context = context;
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
      next = servers.scheduler().schedule(this::write, 0);
    }
  }

  private synchronized void write() {
    if (closed) {
      return;
    }
    next = servers.scheduler().schedule(this::write, REFRESH.toNanos());
    RedisCommand set = RedisCommand.of("SET", key, text(context.client()), "PX", LIFE.toMillis());
    try {
      written =
          CompletableFuture.supplyAsync(() -> servers.port().send(key, set), servers.background())
              .thenCompose(sent -> sent);
    } catch (RejectedExecutionException e) {
      // next time
    }
  }

  /** Takes it away, if it is there. Blocks for a bounded time. */
  void close() {
    CompletionStage<?> last;
    synchronized (this) {
      if (closed || next == null) {
        closed = true;
        return;
      }
      closed = true;
      next.cancel();
      last = written;
    }
    // Not before: on another connection it would overtake what writes it.
    Ending.await(
        last.handle((done, error) -> servers.port().send(key, RedisCommand.of("DEL", key)))
            .thenCompose(sent -> sent)
            .toCompletableFuture(),
        bound);
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
    if (ids.isEmpty()) {
      return CompletableFuture.completedStage(Map.of());
    }
    List<byte[]> keys = ids.stream().map(ClientCard::key).toList();
    List<RedisCommand> gets = keys.stream().map(each -> RedisCommand.of("GET", each)).toList();
    List<CompletionStage<Optional<ClientInfo>>> cards = new ArrayList<>();
    for (CompletionStage<Object> reply : servers.port().sendAll(keys, gets)) {
      String id = ids.get(cards.size());
      cards.add(reply.handle((card, error) -> read(id, card)));
    }
    return Stages.all(cards)
        .thenApply(
            all ->
                all.stream()
                    .flatMap(Optional::stream)
                    .collect(Collectors.toMap(ClientInfo::id, info -> info)));
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
    String name = URLEncoder.encode(info.name(), StandardCharsets.UTF_8);
    String host = URLEncoder.encode(info.host(), StandardCharsets.UTF_8);
    return "name=" + name + "&host=" + host + "&process=" + info.process();
  }

  /** What a card says; nothing if there is none, or if it is not one. */
  static Optional<ClientInfo> read(String client, @Nullable Object reply) {
    if (!(reply instanceof byte[] bytes)) {
      return Optional.empty();
    }
    Matcher said = CARD.matcher(new String(bytes, StandardCharsets.UTF_8));
    try {
      return said.matches()
          ? Optional.of(
              new ClientInfo(
                  client,
                  URLDecoder.decode(said.group(1), StandardCharsets.UTF_8),
                  URLDecoder.decode(said.group(2), StandardCharsets.UTF_8),
                  Long.parseLong(said.group(3))))
          : Optional.empty();
    } catch (IllegalArgumentException e) { // not encoded as it must be
      return Optional.empty();
    }
  }
}
