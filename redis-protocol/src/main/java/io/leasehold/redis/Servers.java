package io.leasehold.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** All servers of a node: finds the one that serves a key, and follows it when it moves. */
interface Servers {

  /** Begins to connect, where connections are kept; does not wait. */
  void begin();

  /** Sends one command to the server that serves a key, and follows redirections. */
  CompletionStage<Object> send(byte[] key, RedisCommand command);

  /** As {@link #send(byte[], RedisCommand)}, with as little as it can. */
  default void send(byte[] key, RedisCommand command, ReplyHandler handler) {
    send(key, command)
        .whenComplete(
            (reply, error) -> {
              if (error == null) {
                handler.replied(reply);
              } else {
                handler.failed(Stages.reason(error));
              }
            });
  }

  /**
   * Sends several commands, each to the server that serves its key, and follows redirections. What
   * goes to one server goes together. The stages are in the order of the keys.
   */
  List<CompletionStage<Object>> sendAll(List<byte[]> keys, List<RedisCommand> commands);

  /**
   * As {@link #sendAll}, with a last command that waits behind those of each server, on a
   * connection that nobody else uses meanwhile. Each stage gives two replies: its own and the last
   * one's.
   */
  List<CompletionStage<List<Object>>> sendAllAlone(
      List<byte[]> keys, List<RedisCommand> commands, RedisCommand last);

  /**
   * Sends commands to the server that serves a key, on one connection; alone when one of them
   * waits. Follows redirections of the first.
   */
  CompletionStage<List<Object>> sendTogether(
      byte[] key, List<RedisCommand> commands, boolean alone);

  /** All who serve something, each to be asked by itself, whatever the key. */
  CompletionStage<List<RedisPort.Each>> each();

  /** Listens on the server that serves a key. */
  CompletionStage<?> listen(byte[] key, byte[] channel, RedisSubscriber subscriber);

  /** Ends what a subscriber listens to, wherever that is. Does not wait. */
  void unlisten(RedisSubscriber subscriber);

  /** Closes all connections and makes no more. Does not wait. */
  void close();
}
