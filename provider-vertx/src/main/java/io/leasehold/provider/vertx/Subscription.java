package io.leasehold.provider.vertx;

import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.redis.client.RedisConnection;
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
  private boolean heard;
  private long timer = -1;

  Subscription(Node node, RedisConnection connection, byte[] channel, Subscriber subscriber) {
    super(node, connection);
    this.channel = channel.clone();
    this.subscriber = subscriber;
    subscribe();
  }

  Future<Boolean> confirmed() {
    return confirmed.future();
  }

  private void subscribe() {
    after(port.context.commandTimeout(), () -> lost(Replies.gone()));
    tell("SUBSCRIBE", channel);
  }

  @Override
  void heard(@Nullable Object message) {
    if (message instanceof RedisErrorReply refused) {
      if (heard && !refused.code().equals("NOPERM")) { // no shard channels before Redis 7
        confirm();
      } else {
        end(refused);
      }
    } else if (message instanceof List<?> said && said.get(0) instanceof byte[] word) {
      switch (new String(word, StandardCharsets.ISO_8859_1)) {
        case "message", "smessage" -> subscriber.message((byte[]) said.get(2));
        case "subscribe" -> {
          heard = true;
          if (subscriber.sharded()) {
            tell("SSUBSCRIBE", channel);
          } else {
            confirm();
          }
        }
        case "ssubscribe" -> confirm();
        case "sunsubscribe" -> lost(Replies.gone()); // the slot has moved away
        default -> {}
      }
    }
  }

  private void confirm() {
    after(PROBE, this::subscribe);
    confirmed.tryComplete(true);
  }

  private void after(Duration delay, Runnable task) {
    port.vertx.cancelTimer(timer);
    timer = port.timer(delay, task);
  }

  @Override
  void end(Throwable cause) {
    super.end(cause);
    port.vertx.cancelTimer(timer);
    Future<Subscription> last = node.subscriptions.get(subscriber);
    boolean wanted = last != null && last.result() == this;
    if (wanted) {
      node.subscriptions.remove(subscriber);
    }
    if (!confirmed.tryFail(cause) && wanted && !port.isClosed()) {
      subscriber.interrupted();
    }
  }
}
