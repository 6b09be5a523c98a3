package io.leasehold.testkit;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;

/**
 * A server in a container. It shares the network of the host, so that it is at 127.0.0.1 and at the
 * same port for everybody (clients, replicas, sentinels, cluster nodes) and through every restart;
 * a published port would be right for clients only. Hence the Docker engine must be of this machine
 * and allow the host's network (Docker Desktop: a setting).
 *
 * <p>Faults are signals here too: {@code docker kill -s STOP} and not {@code docker pause}, because
 * a stopped process can still be killed with every version of the engine. When this JVM dies,
 * Testcontainers' reaper removes the container.
 */
final class ContainerRedisServer extends SignalledServer {

  /** The volume of the images; its files belong to the user that the server runs as. */
  private static final String DATA = "/data";

  private static final String CONFIG = DATA + "/redis.conf";

  private final DockerImageName image;
  private volatile @Nullable GenericContainer<?> container;

  private ContainerRedisServer(DockerImageName image, RedisSettings settings, int port) {
    super(settings, port);
    this.image = image;
  }

  static RedisServer start(String image, RedisSettings settings) {
    return start(image, settings, () -> DockerClientFactory.instance().isDockerAvailable());
  }

  static RedisServer start(String image, RedisSettings settings, BooleanSupplier dockerAnswers) {
    if (!dockerAnswers.getAsBoolean()) {
      throw new IllegalStateException(
          ServerChoice.IMAGE_PROPERTY
              + " asks for the image "
              + image
              + ", but no Docker engine answers; start one, or unset the property to test with the embedded binary");
    }
    DockerImageName name = DockerImageName.parse(image);
    return SignalledServer.start(port -> new ContainerRedisServer(name, settings, port));
  }

  @Override
  void launch() {
    GenericContainer<?> existing = container;
    if (existing != null) {
      client(existing).startContainerCmd(existing.getContainerId()).exec();
      return;
    }
    GenericContainer<?> created = create();
    container = created;
    try {
      created.start();
    } catch (ContainerLaunchException e) {
      RedisStartException failure = new RedisStartException(this + " did not start: " + e, log());
      failure.initCause(e);
      throw failure;
    }
  }

  private GenericContainer<?> create() {
    List<String> command = new ArrayList<>(List.of("redis-server", CONFIG));
    command.addAll(settings().args());
    GenericContainer<?> created = new GenericContainer<>(image);
    created.withNetworkMode("host");
    created.withCopyToContainer(Transferable.of(settings().file(port(), DATA)), CONFIG);
    created.withCommand(command.toArray(String[]::new));
    created.waitingFor(new NoWait());
    return created;
  }

  @Override
  void wipe() {
    // A new container has a new volume; there is no other way to empty that of one which does not
    // run.
    release();
  }

  @Override
  Snapshot copyData() {
    throw new IllegalStateException(
        "there are no snapshots of a container; unset "
            + ServerChoice.IMAGE_PROPERTY
            + " for this test");
  }

  @Override
  void restore(Snapshot snapshot) {
    throw new IllegalStateException("no container has made " + snapshot);
  }

  @Override
  void release() {
    GenericContainer<?> old = container;
    container = null;
    if (old != null) {
      old.stop();
    }
  }

  @Override
  void signal(Signal signal) {
    GenericContainer<?> running = container;
    if (running == null || !isAlive()) {
      return;
    }
    try {
      client(running).killContainerCmd(running.getContainerId()).withSignal(signal.name()).exec();
    } catch (ConflictException | NotFoundException e) {
      // What Docker replies if the container ended since it was asked.
      if (isAlive()) {
        throw e;
      }
    }
  }

  @Override
  boolean isStopped() {
    // The engine does not tell. It has delivered the signal, though.
    return true;
  }

  @Override
  boolean isThisServer(RespConnection connection) {
    // Its process id is that of the container's own namespace: no proof. That it is alive is
    // checked after this.
    return isAlive();
  }

  @Override
  public long pid() {
    GenericContainer<?> running = container;
    if (running == null || !isAlive()) {
      throw new IllegalStateException(this + " is not alive");
    }
    return Objects.requireNonNull(state(running).getPidLong());
  }

  @Override
  public boolean isAlive() {
    GenericContainer<?> running = container;
    if (running == null || running.getContainerId() == null) {
      return false;
    }
    try {
      return Boolean.TRUE.equals(state(running).getRunning());
    } catch (NotFoundException e) {
      return false;
    }
  }

  @Override
  public String log() {
    GenericContainer<?> known = container;
    try {
      return known == null || known.getContainerId() == null ? "" : known.getLogs();
    } catch (DockerException e) {
      return "(the log could not be read: " + e + ")";
    }
  }

  private static ContainerState state(GenericContainer<?> container) {
    return client(container).inspectContainerCmd(container.getContainerId()).exec().getState();
  }

  private static DockerClient client(GenericContainer<?> container) {
    return container.getDockerClient();
  }

  /** {@link SignalledServer} waits itself, the same way after a start and after a restart. */
  private static final class NoWait extends AbstractWaitStrategy {
    @Override
    protected void waitUntilReady() {}
  }
}
