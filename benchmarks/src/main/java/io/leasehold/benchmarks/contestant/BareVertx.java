package io.leasehold.benchmarks.contestant;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.RedisConnection;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Vert.x client with one connection on which all threads pipeline. Taking a connection from its
 * pool for each command would be slower.
 */
final class BareVertx implements BareDriver {
  // No files are served, and a process that is ended in the middle would leave their cache behind.
  private final Vertx vertx =
      Vertx.vertx(
          new VertxOptions()
              .setFileSystemOptions(
                  new FileSystemOptions()
                      .setFileCachingEnabled(false)
                      .setClassPathResolvingEnabled(false)));
  private final Redis client;
  private final RedisConnection connection;
  private final String sha;

  BareVertx(int port) {
    try {
      client = Redis.createClient(vertx, "redis://127.0.0.1:" + port);
      connection = await(client.connect());
      Request load = Request.cmd(Command.SCRIPT).arg("LOAD").arg(BareDriver.script());
      sha = String.valueOf(reply(connection, load));
    } catch (Exception e) {
      vertx.close();
      throw new IllegalStateException("no connection of Vert.x", e);
    }
  }

  @Override
  public boolean setIfAbsent(String key, String value) throws Exception {
    Request set = Request.cmd(Command.SET).arg(key).arg(value).arg("NX").arg("PX").arg(TTL_MILLIS);
    return reply(connection, set) != null;
  }

  @Override
  public boolean compareAndDelete(String key, String value) throws Exception {
    Response deleted =
        reply(connection, Request.cmd(Command.EVALSHA).arg(sha).arg(1).arg(key).arg(value));
    return deleted != null && Long.valueOf(1).equals(deleted.toLong());
  }

  private static @Nullable Response reply(RedisConnection connection, Request request)
      throws Exception {
    return await(connection.send(request));
  }

  private static <T extends @Nullable Object> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    client.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
