package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Promise;
import io.vertx.redis.client.RedisConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A subscriber at one server, and its connection. Whether that is alive is found out by subscribing
 * again, which the server confirms. With PING, the driver would take a message for the answer.
 */
final class Subscription extends Link {
  private static final Duration PROBE = Duration.ofSeconds(10);

  final Promise<Boolean> confirmed = Promise.promise();
  private final byte[] channel;
  private final Subscriber subscriber;
  private int awaited;
  private long timer;

  Subscription(Node node, RedisConnection connection, byte[] channel, Subscriber subscriber) {
    super(node, connection);
    this.channel = channel.clone();
    this.subscriber = subscriber;
    subscribe();
  }

  private void subscribe() {
    timer = port.timer(port.context.commandTimeout(), () -> lost(gone()));
    awaited = subscriber.sharded() ? 2 : 1;
    tell("SUBSCRIBE", channel);
    if (subscriber.sharded()) {
      tell("SSUBSCRIBE", channel);
    }
  }

  private void answered() {
    if (--awaited == 0) {
      port.vertx.cancelTimer(timer);
      timer = port.timer(PROBE, this::subscribe);
      confirmed.tryComplete(true);
    }
  }

  @Override
  void heard(@Nullable Object message) {
    if (message instanceof RedisErrorReply refused) {
      if (subscriber.sharded() && !refused.code().equals("NOPERM")) {
        answered(); // before Redis 7 there are no shards, and the slot may be elsewhere
      } else {
        end(refused);
      }
    } else if (message instanceof List<?> said) {
      switch (new String((byte[]) said.get(0), StandardCharsets.US_ASCII)) {
        case "message", "smessage" -> subscriber.message((byte[]) said.get(2));
        case "subscribe", "ssubscribe" -> answered();
        case "sunsubscribe" -> lost(gone()); // the slot has moved away
        default -> {}
      }
    }
  }

  @Override
  void end(Throwable cause) {
    super.end(cause);
    port.vertx.cancelTimer(timer);
    boolean wanted = node.subscriptions.values().removeIf(each -> each.result() == this);
    if (!confirmed.tryFail(cause) && wanted && !port.closed) {
      subscriber.interrupted();
    }
  }
}
