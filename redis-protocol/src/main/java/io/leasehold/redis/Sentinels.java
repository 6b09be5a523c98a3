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

/**
 * Asks sentinels where the primary is: one after the other, until one of them knows. The one that
 * answered is asked first the next time, unless its answer was of no use: a sentinel that is cut
 * off from the others goes on to name a primary that is none.
 *
 * <p>A sentinel is asked without a login, and with the URL's user and password only when it wants
 * one: most have none, and refuse a login then. One that wants none is also listened to: it tells
 * of a failover at once, also of one that a client's connection to the old primary survives.
 */
final class Sentinels implements Server.Whereabouts {
  private static final byte[] SWITCHED = "+switch-master".getBytes(StandardCharsets.US_ASCII);

  private final Wiring wiring;
  private final String masterName;
  private final Optional<RedisCommand> login;
  private final List<Endpoint> sentinels;
  private final Doubt doubt;
  private final Link<RedisListening> news;
  private volatile Runnable changed = () -> {};

  Sentinels(Wiring wiring, RedisServers servers, LockUrl url) {
    this.wiring = wiring;
    this.masterName = servers.masterName();
    this.login = url.password().map(password -> ConnectionSettings.login(url.user(), password));
    this.sentinels = Collections.synchronizedList(new ArrayList<>(servers.endpoints()));
    this.doubt = new Doubt(wiring, this::lookElsewhere);
    this.news =
        new Link<>(
            Link.Mode.KEPT,
            wiring,
            this::listen,
            RedisListening::close,
            new Link.Events<>() {
              @Override
              public void made(RedisListening listening, boolean again) {
                if (again) {
                  doubt(); // something may have been missed
                }
              }

              @Override
              public void failed(RuntimeException why) {}
            });
  }

  /** Says what to do when another server may have become the primary. */
  void tell(Runnable action) {
    changed = action;
  }

  /** The primary may be another one by now: look, but not more often than is useful. */
  void doubt() {
    doubt.raise();
  }

  private void lookElsewhere() {
    synchronized (sentinels) {
      Collections.rotate(sentinels, -1);
    }
    changed.run();
  }

  @Override
  public CompletionStage<Endpoint> get() {
    return Wiring.firstOf(candidates(), this::ask);
  }

  /** Listens to nobody any more. Does not wait. */
  void close() {
    news.close();
  }

  private List<Endpoint> candidates() {
    synchronized (sentinels) {
      return List.copyOf(sentinels);
    }
  }

  private CompletionStage<? extends RedisListening> listen(Runnable broken) {
    RedisListening.Events events =
        new RedisListening.Events() {
          @Override
          public void message(byte[] payload) {
            // The name, the old address and the new one; which that is, will be asked.
            if (new String(payload, StandardCharsets.UTF_8).startsWith(masterName + " ")) {
              changed.run();
              doubt.raise(); // whoever is asked now may not have heard of it
            }
          }

          @Override
          public void broken() {
            broken.run();
          }
        };
    return Wiring.firstOf(
        candidates(),
        sentinel ->
            wiring
                .driver()
                .listen(sentinel, SWITCHED, events)
                .thenApply(listening -> (RedisListening) listening));
  }

  private CompletionStage<Endpoint> ask(Endpoint sentinel) {
    RedisCommand question = RedisCommand.of("SENTINEL", "GET-MASTER-ADDR-BY-NAME", masterName);
    return wiring
        .askOnce(sentinel, List.of(question))
        .thenCompose(
            replies -> {
              if (!wantsLogin(replies.get(0))) {
                news.begin();
                return CompletableFuture.completedStage(replies.get(0));
              }
              return login.isEmpty()
                  ? CompletableFuture.completedStage(replies.get(0))
                  : wiring
                      .askOnce(sentinel, List.of(login.get(), question))
                      .thenApply(both -> both.get(1));
            })
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
      if (digits.matches("\\d{1,5}") && Endpoint.isPort(Integer.parseInt(digits))) {
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
