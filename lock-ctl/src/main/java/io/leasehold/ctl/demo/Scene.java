package io.leasehold.ctl.demo;

import io.leasehold.LockClient;
import io.leasehold.Locks;
import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.spi.Failed;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.VouchReply;
import io.leasehold.spi.Vouched;
import io.leasehold.spi.Vouching;
import io.leasehold.testkit.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The servers and processes of the demo. All of them end with it, however it ends: when it is
 * interrupted, too.
 */
final class Scene implements AutoCloseable {
  private static final int QUORUM = 5;
  private static final long PATIENCE_SECONDS = 30;
  private static final int ATTEMPTS = 5;

  private final Path errors;
  private final Crowd crowd;
  private final List<RedisServer> servers = new ArrayList<>();
  private final Thread onExit = new Thread(this::end, "end of the demo");
  private boolean ended;

  private Scene(int processes, Progress progress) {
    try {
      errors = Files.createTempFile("lockctl-demo", ".err");
    } catch (IOException e) {
      throw new CommandFailure(ExitCodes.CANNOT_CREATE, "There is no place for a file.", e);
    }
    crowd = new Crowd(processes, errors, progress);
  }

  static Scene open(int processes, Progress progress) throws InterruptedException {
    Scene scene = new Scene(processes, progress);
    Runtime.getRuntime().addShutdownHook(scene.onExit);
    try {
      for (int i = 0; i < 2 + QUORUM; i++) {
        scene.start();
      }
      scene.crowd.awaitAll("here");
      return scene;
    } catch (RuntimeException | InterruptedException e) {
      scene.close();
      throw e;
    }
  }

  private synchronized void start() {
    if (!ended) {
      servers.add(RedisServer.start());
    }
  }

  Crowd crowd() {
    return crowd;
  }

  /** Where the money is. */
  RedisServer store() {
    return servers.get(0);
  }

  RedisServer lockServer() {
    return servers.get(1);
  }

  List<RedisServer> quorum() {
    return servers.subList(2, servers.size());
  }

  /** Tells the guard that the servers are new, which it cannot know: it would wait otherwise. */
  void vouch(String url) throws InterruptedException {
    AtomicReference<LockNode> node = new AtomicReference<>();
    LockClient client =
        Locks.builder()
            .url(url)
            .decorate(
                opened -> {
                  node.set(opened);
                  return opened;
                })
            .open();
    try {
      Optional<Vouching> vouching = Objects.requireNonNull(node.get()).offer(Vouching.class);
      VouchReply reply = new Vouched(1); // without a guard
      for (int i = 0; i < ATTEMPTS && vouching.isPresent(); i++) {
        reply =
            vouching.get().vouch().toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (reply instanceof Vouched) {
          return;
        }
      }
      if (reply instanceof Failed failed) {
        throw new CommandFailure(
            ExitCodes.UNAVAILABLE, "The servers were not vouched for: " + failed.message());
      }
    } catch (ExecutionException | TimeoutException e) {
      throw new CommandFailure(ExitCodes.UNAVAILABLE, "The servers do not answer.", e);
    } finally {
      client.close();
    }
  }

  /** The last words of a process that failed. */
  String complaints() {
    try {
      return Files.readString(errors);
    } catch (IOException e) {
      return "";
    }
  }

  @Override
  public void close() {
    end();
    try {
      Runtime.getRuntime().removeShutdownHook(onExit);
    } catch (IllegalStateException e) {
      // it is running
    }
  }

  private synchronized void end() {
    if (ended) {
      return;
    }
    ended = true;
    crowd.close();
    for (RedisServer server : servers) {
      try {
        server.close();
      } catch (RuntimeException e) {
        // the others must end, too
      }
    }
    try {
      Files.deleteIfExists(errors);
    } catch (IOException e) {
      // it is in the folder for what is temporary
    }
  }
}
