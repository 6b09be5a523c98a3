package io.leasehold.provider.vertx.port;

import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.redis.driver.DriverPort.Subscriber;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server, or the primary that sentinels name: one connection that commands share, some that serve
 * one call at a time, and one for each subscriber. Everything happens on the {@link Loop}.
 */
final class Node {
  /** How many connections there are at most for calls that need one alone. */
  private static final int MOST_EXCLUSIVE = 64;

  /** Sentinels may name the old primary for a moment: it is not asked for again at once. */
  private static final long RENEWAL_NANOS = 200_000_000;

  final Endpoint at;
  final Loop loop;
  private final Clients clients;
  private final Runnable trouble;
  private final Deque<Link> idle = new ArrayDeque<>();
  private final Map<Subscriber, Subscription> subscriptions = new HashMap<>();
  private @Nullable Link shared;
  private int exclusive;
  private boolean left;
  private long renewed;

  /**
   * @param trouble runs when a connection broke or could not be made
   */
  Node(Endpoint at, Loop loop, Clients clients, Runnable trouble) {
    this.at = at;
    this.loop = loop;
    this.clients = clients;
    this.trouble = trouble;
    this.renewed = loop.now() - RENEWAL_NANOS;
  }

  /** A new connection, whose loss is reported. */
  Link connect(Consumer<@Nullable Object> messages) {
    Link link = new Link(loop, clients, messages);
    link.ended()
        .onSuccess(
            lost -> {
              if (lost) {
                loop.port.doubt().run();
                List.copyOf(subscriptions.values()).forEach(Subscription::probe);
              }
              if (!loop.closed()) {
                trouble.run();
              }
            });
    return link;
  }

  /** Sends the commands of a call, after ASKING if another node has sent it here. */
  Future<List<Object>> send(PendingCall call, boolean asking) {
    if (call.alone()) {
      return sendAlone(call, asking);
    }
    if (shared == null || !shared.usable()) {
      shared = connect(unasked -> {});
    }
    return send(shared, call, asking);
  }

  private Future<List<Object>> sendAlone(PendingCall call, boolean asking) {
    Link free = idle.pollLast();
    if (free == null && exclusive == MOST_EXCLUSIVE) {
      return Future.failedFuture(RedisConnectionFailure.overloaded());
    }
    Link link = free == null ? exclusive() : free;
    Future<List<Object>> replies = send(link, call, asking);
    var unused =
        call.result()
            .whenComplete(
                (value, error) ->
                    loop.here(
                        () -> {
                          if (!replies.isComplete()) {
                            link.end(Link.gone()); // late: no other call waits behind this one
                          }
                        }));
    return replies.onComplete(
        done -> {
          if (link.isOpen() && !left) {
            idle.add(link);
          } else {
            link.retire();
          }
        });
  }

  private Link exclusive() {
    exclusive++;
    Link link = connect(unasked -> {});
    link.ended()
        .onComplete(
            ended -> {
              exclusive--;
              idle.remove(link);
            });
    return link;
  }

  private Future<List<Object>> send(Link link, PendingCall call, boolean asking) {
    List<RedisCommand> commands = new ArrayList<>(call.commands());
    if (asking) {
      commands.add(0, RedisCommand.of("ASKING"));
    }
    return link.opened()
        .compose(
            open ->
                call.result().isDone()
                    ? Future.failedFuture(Link.gone())
                    : open.send(commands, call.result()))
        .map(replies -> asking ? replies.subList(1, replies.size()) : replies)
        .onSuccess(replies -> renewIfReplica(link, replies));
  }

  /** Connects anew after READONLY: the server is a replica now, and there may be a primary. */
  private void renewIfReplica(Link link, List<Object> replies) {
    for (Object reply : replies) {
      if (reply instanceof RedisErrorReply refused
          && refused.code().equals("READONLY")
          && loop.now() - renewed >= RENEWAL_NANOS) {
        renewed = loop.now();
        link.retire();
        retire();
        List.copyOf(subscriptions.values()).forEach(Subscription::renew);
        loop.port.doubt().run();
      }
    }
  }

  /** Completes when the server has confirmed the subscription. */
  Future<Boolean> subscribe(byte[] channel, Subscriber subscriber) {
    return subscriptions
        .computeIfAbsent(subscriber, key -> new Subscription(this, channel, subscriber))
        .confirmed();
  }

  void unsubscribe(Subscriber subscriber) {
    Subscription ended = subscriptions.remove(subscriber);
    if (ended != null) {
      ended.end(Link.gone());
    }
  }

  List<Subscriber> subscribers() {
    return List.copyOf(subscriptions.keySet());
  }

  private void retire() {
    if (shared != null) {
      shared.opened().onSuccess(Link::retire);
    }
    List.copyOf(idle).forEach(Link::retire);
  }

  /** Ends the subscriptions, and the connections as soon as all replies have come. */
  void leave() {
    left = true;
    subscribers().forEach(this::unsubscribe);
    retire();
    clients.closeSpare();
  }
}
