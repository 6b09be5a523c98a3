package io.leasehold.redis;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.LockUrl;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Asks sentinels where the primary is: one after the other, until one of them knows. The one that
 * answered is asked first the next time.
 *
 * <p>A sentinel is asked without a login, and with the URL's user and password only when it wants
 * one: most have none, and refuse a login then.
 */
final class Sentinels implements Server.Whereabouts {
  private static final long DOUBT_NANOS = 200_000_000L;

  private final Wiring wiring;
  private final String masterName;
  private final Optional<RedisCommand> login;
  private final List<Endpoint> sentinels;
  private final AtomicBoolean doubting = new AtomicBoolean();
  private volatile Runnable changed = () -> {};

  Sentinels(Wiring wiring, RedisServers servers, LockUrl url) {
    this.wiring = wiring;
    this.masterName = servers.masterName();
    this.login = url.password().map(password -> ConnectionSettings.login(url.user(), password));
    this.sentinels = Collections.synchronizedList(new ArrayList<>(servers.endpoints()));
  }

  /** Says what to do when another server may have become the primary. */
  void tell(Runnable action) {
    changed = action;
  }

  /** The primary may be another one by now: look, but not more often than is useful. */
  void doubt() {
    if (doubting.compareAndSet(false, true)) {
      wiring
          .context()
          .scheduler()
          .schedule(
              () -> {
                doubting.set(false);
                changed.run();
              },
              DOUBT_NANOS);
    }
  }

  @Override
  public CompletionStage<Endpoint> get() {
    List<Endpoint> candidates;
    synchronized (sentinels) {
      candidates = List.copyOf(sentinels);
    }
    return Wiring.firstOf(candidates, this::ask);
  }

  private CompletionStage<Endpoint> ask(Endpoint sentinel) {
    RedisCommand question = RedisCommand.of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName);
    return wiring
        .askOnce(sentinel, List.of(question))
        .thenCompose(
            replies ->
                wantsLogin(replies.get(0)) && login.isPresent()
                    ? wiring
                        .askOnce(sentinel, List.of(login.get(), question))
                        .thenApply(both -> both.get(1))
                    : CompletableFuture.completedStage(replies.get(0)))
        .thenApply(reply -> primary(sentinel, reply));
  }

  private Endpoint primary(Endpoint sentinel, Object reply) {
    if (reply instanceof RedisErrorReply error) {
      throw error;
    }
    if (reply == null) {
      throw new ServerRefused(
          FailureKind.OTHER,
          "the sentinel " + sentinel + " knows no primary that is called '" + masterName + "'");
    }
    if (reply instanceof List<?> address
        && address.size() == 2
        && address.get(0) instanceof byte[] host
        && address.get(1) instanceof byte[] port) {
      String digits = new String(port, StandardCharsets.US_ASCII);
      if (digits.matches("\\d{1,5}")) {
        synchronized (sentinels) {
          sentinels.remove(sentinel);
          sentinels.add(0, sentinel);
        }
        return Endpoint.data(new String(host, StandardCharsets.US_ASCII), Integer.parseInt(digits));
      }
    }
    throw new UnreadableReplyException("the sentinel's answer is not an address");
  }

  private static boolean wantsLogin(Object reply) {
    return reply instanceof RedisErrorReply error && error.code().equals("NOAUTH");
  }
}
