package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber at one server, and its connection. Whether that is alive is found out by subscribing
 * again, which the server confirms again. With PING, the driver would take a message that comes
 * before the answer for the answer.
 */
final class Subscription extends Link {
  private static final Duration PROBE = Duration.ofSeconds(10);

  private final byte[] channel;
  private final Subscriber subscriber;
  private final Promise<Boolean> confirmed = Promise.promise();
  private long timer = -1;

  Subscription(Node node, byte[] channel, Subscriber subscriber) {
    super(node);
    this.channel = channel.clone();
    this.subscriber = subscriber;
  }

  Future<Boolean> confirmed() {
    return confirmed.future();
  }

  @Override
  void open(Link self) {
    super.open(self);
    subscribe();
  }

  private void subscribe() {
    after(port.context.commandTimeout(), () -> lost(gone()));
    tell(RedisCommand.of("SUBSCRIBE", (Object) channel));
  }

  @Override
  void heard(@Nullable Object message) {
    if (message instanceof RedisErrorReply refused) {
      boolean noShard = // before Redis 7, or the slot is elsewhere
          String.valueOf(refused.getMessage()).contains("unknown command")
              || refused.code().equals("MOVED")
              || refused.code().equals("CLUSTERDOWN");
      if (subscriber.sharded() && noShard) {
        ready();
      } else {
        end(refused);
      }
    } else if (message instanceof List<?> said && said.get(0) instanceof byte[] word) {
      heard(new String(word, StandardCharsets.ISO_8859_1), said.get(said.size() - 1));
    }
  }

  private void heard(String word, @Nullable Object last) {
    switch (word) {
      case "message", "smessage" -> {
        if (last instanceof byte[] payload) {
          subscriber.message(payload);
        }
      }
      case "subscribe" -> {
        if (subscriber.sharded()) {
          tell(RedisCommand.of("SSUBSCRIBE", (Object) channel));
        } else {
          ready();
        }
      }
      case "ssubscribe" -> ready();
      case "sunsubscribe" -> lost(gone()); // the slot has moved away
      default -> {}
    }
  }

  private void ready() {
    after(PROBE, this::subscribe);
    confirmed.tryComplete(true);
  }

  private void after(Duration delay, Runnable task) {
    port.vertx.cancelTimer(timer);
    timer = port.timer(delay, task);
  }

  @Override
  void ended(Throwable cause) {
    super.ended(cause);
    port.vertx.cancelTimer(timer);
    boolean wanted = node.subscriptions.remove(subscriber, this);
    if (!confirmed.tryFail(cause) && wanted && !port.isClosed()) {
      subscriber.interrupted();
    }
  }
}
