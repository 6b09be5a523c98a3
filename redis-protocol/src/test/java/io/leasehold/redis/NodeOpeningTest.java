package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeOpeningTest {
  private final AtomicInteger ports = new AtomicInteger();

  private final TestContext context = new TestContext();

  @AfterEach
  void close() {
    context.close();
  }

  @ParameterizedTest
  @CsvSource({
    "layout=redisson&guard=on, guard",
    "layout=redisson&minReplicas=1, minReplicas",
    "layout=redisson&fair=true, fair",
    "layout=setnx&guard=on, guard",
    "layout=setnx&minReplicas=1, minReplicas",
    "layout=setnx&fair=true, fair",
  })
  void whatALayoutDoesNotOfferIsRefusedBeforeAnythingIsConnected(String options, String key) {
    assertThatThrownBy(() -> open("lock:redis://h?" + options))
        .isInstanceOfSatisfying(
            InvalidConfigurationException.class,
            error -> {
              assertThat(error.key()).isEqualTo(key);
              assertThat(error.code()).isEqualTo(ErrorCode.UNSUPPORTED);
              assertThat(error).hasMessageContaining(options.substring(0, options.indexOf('&')));
            });
    assertThat(ports).hasValue(0);
  }

  @Test
  void aServerThatCannotBeReachedIsNamedWithoutItsCredentials() {
    NodeUnavailableException error =
        catchThrowableOfType(
            NodeUnavailableException.class,
            () -> open("lock:redis://app:s3cret@127.0.0.1:1/2?connectTimeout=50ms"));
    assertThat(error.node()).isEqualTo("driver:redis://127.0.0.1:1");
    assertThat(error.kind()).isEqualTo(FailureKind.UNREACHABLE);
    assertThat(error).hasMessage("driver:redis://127.0.0.1:1: no connection");
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

  private LockNode open(String text) {
    LockUrl url = LockUrl.parse(text);
    return new NodeOpening("driver", url, RedisServers.of(url), context)
        .open(
            port -> {
              ports.incrementAndGet();
              return new WirePort(RedisServers.of(url));
            });
  }
}
