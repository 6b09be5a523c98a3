package io.leasehold.redis;

import io.leasehold.redis.driver.DriverPort;
import io.leasehold.spi.ListReply;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Which plain locks are held, by looking through the keys of each server, some hundred at a time. A
 * key is a lock if it is a string, and beside it is the fence that a grant leaves: so nothing else
 * that an application keeps there is taken for one, and no value is read.
 */
final class HeldLocks implements LockListing {
  private static final String STEP = "500";

  private final Servers servers;

  HeldLocks(Servers servers) {
    this.servers = servers;
  }

  @Override
  public CompletionStage<ListReply> list(String pattern, int limit) {
    if (limit < 1) {
      return CompletableFuture.completedStage(new Listed(List.of(), false));
    }
    return servers
        .port()
        .primaries()
        .thenCompose(primaries -> new Look(primaries, new NamePattern(pattern), limit).goOn())
        .exceptionally(Failures::of);
  }

  /** One listing. Used by one thread at a time. */
  private final class Look {
    private final CompletableFuture<ListReply> result = new CompletableFuture<>();
    private final List<DriverPort.Primary> primaries;
    private final NamePattern pattern;
    private final int limit;
    private final Set<String> found = new LinkedHashSet<>();
    private int primary;
    private String cursor = "0";

    Look(List<DriverPort.Primary> primaries, NamePattern pattern, int limit) {
      this.primaries = primaries;
      this.pattern = pattern;
      this.limit = limit;
    }

    /** A loop, and not stages within stages: there may be many steps. */
    private CompletionStage<ListReply> goOn() {
      while (!result.isDone()) {
        CompletionStage<Optional<ListReply>> step =
            Stages.begin(this::step).exceptionally(error -> Optional.of(Failures.of(error)));
        if (!step.toCompletableFuture().isDone()) {
          step.thenAccept(
              end -> {
                end.ifPresent(result::complete);
                goOn();
              });
          break;
        }
        step.toCompletableFuture().join().ifPresent(result::complete);
      }
      return result;
    }

    /** Some keys of one server; the answer when these were the last. */
    private CompletionStage<Optional<ListReply>> step() {
      return primaries
          .get(primary)
          .send(
              RedisCommand.of(
                  "SCAN", cursor, "MATCH", pattern.onServer(), "COUNT", STEP, "TYPE", "string"))
          .thenApply(Stages::accepted)
          .thenCompose(this::looked);
    }

    private CompletionStage<Optional<ListReply>> looked(Object reply) {
      if (!(reply instanceof List<?> parts
          && parts.size() == 2
          && parts.get(0) instanceof byte[] next
          && parts.get(1) instanceof List<?> keys)) {
        throw new UnreadableReplyException("the answer to SCAN makes no sense");
      }
      cursor = new String(next, StandardCharsets.US_ASCII);
      List<String> names = new ArrayList<>();
      for (Object key : keys) {
        if (key instanceof byte[] bytes) {
          name(bytes).filter(this::isWanted).ifPresent(names::add);
        }
      }
      return held(names).thenApply(this::noted);
    }

    private boolean isWanted(String name) {
      return !name.startsWith("leasehold:") && !found.contains(name) && pattern.matches(name);
    }

    /** Those of the names whose lock and fence are there. */
    private CompletionStage<List<String>> held(List<String> names) {
      List<byte[]> keys = new ArrayList<>();
      List<RedisCommand> commands = new ArrayList<>();
      for (String name : names) {
        LockKeys lock = LockKeys.of(name, servers.clustered());
        keys.add(lock.get(Key.LOCK));
        commands.add(RedisCommand.of("EXISTS", lock.get(Key.LOCK), lock.get(Key.FENCE)));
      }
      List<CompletionStage<Object>> replies =
          keys.isEmpty() ? List.of() : servers.port().sendAll(keys, commands);
      return Stages.all(
              replies.stream()
                  .map(reply -> reply.thenApply(Stages::accepted))
                  .map(reply -> reply.exceptionally(HeldLocks::unknown))
                  .toList())
          .thenApply(
              counts ->
                  IntStream.range(0, names.size())
                      .filter(i -> Long.valueOf(2).equals(counts.get(i)))
                      .mapToObj(names::get)
                      .toList());
    }

    private Optional<ListReply> noted(List<String> held) {
      for (String name : held) {
        found.add(name);
        if (found.size() == limit) {
          return Optional.of(new Listed(List.copyOf(found), false));
        }
      }
      if (cursor.equals("0")) {
        primary++;
      }
      return primary == primaries.size()
          ? Optional.of(new Listed(List.copyOf(found), true))
          : Optional.empty();
    }
  }

  /** While its slot moves it is not known whether a lock is held: it may be listed, or not. */
  private static Object unknown(Throwable error) {
    if (Stages.said("TRYAGAIN", error)) {
      return 0L;
    }
    throw Stages.reason(error);
  }

  /** A key as a name; none of ours if it is not text. */
  private static Optional<String> name(byte[] key) {
    String text = new String(key, StandardCharsets.UTF_8);
    return Arrays.equals(Requests.bytes(text), key) ? Optional.of(text) : Optional.empty();
  }
}
