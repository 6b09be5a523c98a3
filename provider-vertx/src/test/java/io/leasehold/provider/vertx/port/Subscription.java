package io.leasehold.provider.vertx.port;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber at one server, on a connection of its own, which is made again whenever it breaks.
 *
 * <p>Whether it is alive is found out by subscribing again: the server confirms it again. With
 * PING, the driver would take a message that comes before the answer for the answer. Everything
 * happens on the {@link Loop}.
 */
final class Subscription {
  private static final long PROBE_MILLIS = 10_000;
  private static final long SHORTEST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final Node node;
  private final byte[] channel;
  private final Subscriber subscriber;
  private Promise<Boolean> confirmed = Promise.promise();
  private Link link;
  private long timer = -1;
  private long pause = SHORTEST_PAUSE_MILLIS;
  private boolean asked;
  private boolean established;
  private boolean connected;
  private boolean ended;

  Subscription(Node node, byte[] channel, Subscriber subscriber) {
    this.node = node;
    this.channel = channel.clone();
    this.subscriber = subscriber;
    this.link = connect();
  }

  Future<Boolean> confirmed() {
    return confirmed.future();
  }

  private Link connect() {
    asked = false;
    connected = false;
    Link made = node.connect(this::heard);
    made.opened().onSuccess(open -> ask()).onFailure(this::lost);
    made.ended()
        .onSuccess(
            wasOpen -> {
              if (wasOpen) {
                lost(Link.gone());
              }
            });
    return made;
  }

  /** Subscribes. The server's answers come as messages, one after the other. */
  private void ask() {
    asked = true;
    after(node.loop.port.commandTimeout().toMillis(), () -> link.end(Link.gone()));
    tell("SUBSCRIBE");
  }

  private void tell(String command) {
    link.tell(RedisCommand.of(command, (Object) channel));
  }

  private void heard(@Nullable Object message) {
    if (message instanceof RedisErrorReply refused) {
      boolean noShard = // before Redis 7, or the slot is elsewhere
          String.valueOf(refused.getMessage()).contains("unknown command")
              || refused.code().equals("MOVED")
              || refused.code().equals("CLUSTERDOWN");
      if (subscriber.sharded() && noShard) {
        ready();
      } else {
        confirmed.tryFail(refused);
        link.end(refused);
      }
    } else if (message instanceof List<?> said && said.get(0) instanceof byte[] word) {
      heard(new String(word, StandardCharsets.ISO_8859_1), said.get(said.size() - 1));
    }
  }

  private void heard(String word, @Nullable Object last) {
    switch (word) {
      case "message", "smessage" -> {
        if (last instanceof byte[] payload && !ended) {
          subscriber.message(payload);
        }
      }
      case "subscribe" -> {
        if (subscriber.sharded()) {
          tell("SSUBSCRIBE");
        } else {
          ready();
        }
      }
      case "ssubscribe" -> ready();
      case "sunsubscribe" -> link.end(Link.gone()); // the slot has moved away
      default -> {}
    }
  }

  private void ready() {
    if (asked && !ended) {
      asked = false;
      pause = SHORTEST_PAUSE_MILLIS;
      after(PROBE_MILLIS, this::ask);
      confirmed.tryComplete(true);
      boolean restored = established && !connected;
      established = true;
      connected = true;
      if (restored) {
        subscriber.restored();
      }
    }
  }

  /** Finds out whether the connection is alive. */
  void probe() {
    if (!asked && link.isOpen()) {
      ask();
    }
  }

  /** Connects again, perhaps to another server. */
  void renew() {
    link.end(Link.gone());
  }

  private void lost(Throwable why) {
    if (ended) {
      return;
    }
    confirmed.tryFail(why);
    if (!established) {
      node.unsubscribe(subscriber);
      return;
    }
    confirmed = Promise.promise();
    after(pause, () -> link = connect());
    pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
  }

  private void after(long millis, Runnable task) {
    node.loop.vertx.cancelTimer(timer);
    timer = node.loop.timer(millis, task);
  }

  void end(RedisConnectionFailure why) {
    ended = true;
    node.loop.vertx.cancelTimer(timer);
    link.end(why);
    confirmed.tryFail(node.loop.reason(why));
  }
}
