package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.spi.FailureKind;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.ProviderContext;
import io.leasehold.spi.Scheduler;
import io.leasehold.spi.TimeSource;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class NodeOpeningTest {
  private final AtomicInteger connections = new AtomicInteger();

  @Test
  void anotherLayoutIsRefusedBeforeAnythingIsConnected() {
    assertThatThrownBy(() -> open("lock:redis://h?layout=redisson"))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("layout"));
    assertThat(connections).hasValue(0);
  }

  @Test
  void aServerThatCannotBeReachedIsNamedWithoutItsCredentials() {
    NodeUnavailableException error =
        catchThrowableOfType(
            NodeUnavailableException.class, () -> open("lock:redis://app:s3cret@h/2"));
    assertThat(error.node()).isEqualTo("driver:redis://h:6379");
    assertThat(error.kind()).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(error).hasMessage("driver:redis://h:6379: down");
  }

  @Test
  void aClientNameThatAServerWouldRefuseIsRefusedHere() {
    assertThat(RedisOptions.clientName(LockUrl.parse("lock:redis://h"))).isEmpty();
    assertThat(RedisOptions.clientName(LockUrl.parse("lock:redis://h?clientName=orders-7")))
        .hasValue("orders-7");
    assertThatThrownBy(
            () -> RedisOptions.clientName(LockUrl.parse("lock:redis://h?clientName=a%20b")))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> assertThat(error.key()).isEqualTo("clientName"));
  }

  private RedisLockNode open(String url) {
    return RedisLockNode.open(
        "driver",
        LockUrl.parse(url),
        new NoContext(),
        () -> {
          connections.incrementAndGet();
          throw new RedisConnectionFailure(FailureKind.UNREACHABLE, "down", null);
        });
  }

  /** Nothing of it is needed before a connection exists. */
  private static final class NoContext implements ProviderContext {
    @Override
    public LockProviders providers() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Executor newBlockingExecutor(String label) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Scheduler scheduler() {
      throw new UnsupportedOperationException();
    }

    @Override
    public TimeSource time() {
      return TimeSource.system();
    }

    @Override
    public RandomGenerator random() {
      throw new UnsupportedOperationException();
    }

    @Override
    public String clientId() {
      return "client";
    }
  }
}
