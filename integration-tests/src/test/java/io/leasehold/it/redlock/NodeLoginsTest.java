package io.leasehold.it.redlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockUnavailableException;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.ReleaseResult;
import io.leasehold.it.Driver;
import io.leasehold.it.Opened;
import io.leasehold.spi.NodeAnswer;
import io.leasehold.testkit.RedisServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Three servers with a login and options each of their own. */
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(Driver.class)
class NodeLoginsTest {
  private static final Logger LOG = Logger.getLogger("io.leasehold");

  @Parameter Driver driver = Driver.LETTUCE;

  private final RedisServer first = RedisServer.builder().password("s3cret-one").start();
  private final RedisServer second =
      RedisServer.builder().password("s3cret-default").user("second", "s3cret-two").start();
  private final RedisServer third = RedisServer.builder().password("s3cret-three").start();
  private final Log log = new Log();

  @BeforeEach
  void listen() {
    LOG.addHandler(log);
  }

  @AfterEach
  void close() {
    LOG.removeHandler(log);
    first.close();
    second.close();
    third.close();
  }

  private static String address(RedisServer server) {
    return "127.0.0.1:" + server.port();
  }

  private LocksBuilder logins(String passwordOfTheThird) {
    String hosts = address(first) + "," + address(second) + "," + address(third);
    return Locks.builder()
        .url(QuorumServers.urlOf(driver, hosts, "guard=off", "connectTimeout=10s"))
        .nodeLogin(address(first), "", "s3cret-one")
        .nodeLogin(address(second), "second", "s3cret-two")
        .nodeLogin(address(third), "", passwordOfTheThird);
  }

  @Test
  void eachServerIsLoggedInToAsItWants() throws InterruptedException {
    try (LockClient client = logins("s3cret-three").open()) {
      Lease lease = client.lock("a").acquire(Duration.ofSeconds(5));
      // Any two are a quorum: all three must have it, if not at once.
      for (RedisServer server : new RedisServer[] {first, second, third}) {
        await()
            .atMost(Duration.ofSeconds(2))
            .until(() -> Long.valueOf(1).equals(server.command("EXISTS", "a")));
      }
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      expectNoSecretIn(client.toString(), lease.toString(), lease.votes().toString());
    }
  }

  @Test
  void oneWrongPasswordOfThreeIsOneVoteLessAndIsTold() throws InterruptedException {
    try (Opened opened = Opened.open(logins("s3cret-wrong"))) {
      LockClient client = opened.client();
      Lease lease = client.lock("a").acquire(Duration.ofSeconds(5));
      assertThat(lease.release()).isEqualTo(ReleaseResult.RELEASED);
      assertThat(lease.votes()).hasSize(3);

      second.kill();
      LockUnavailableException told =
          catchThrowableOfType(LockUnavailableException.class, () -> client.lock("a").tryAcquire());
      assertThat(told).isNotNull();
      assertThat(told.answers())
          .filteredOn(answer -> answer.node().contains(address(third)))
          .singleElement()
          .satisfies(
              answer -> {
                assertThat(answer.kind()).isEqualTo(NodeAnswer.Kind.FAILED);
                assertThat(answer.toString()).contains("NOT_AUTHENTICATED");
              });
      StringWriter trace = new StringWriter();
      told.printStackTrace(new PrintWriter(trace));
      expectNoSecretIn(
          trace.toString(),
          client.toString(),
          opened.node().label(),
          opened.node().toString(),
          opened.findings().toString(),
          lease.votes().toString());
    }
  }

  @Test
  void twoWrongPasswordsOfThreeAreToldAtOpening() {
    LockUnavailableException told =
        catchThrowableOfType(
            LockUnavailableException.class,
            () ->
                logins("s3cret-wrong")
                    .nodeLogin(address(second), "second", "s3cret-wrong-too")
                    .open()
                    .close());
    assertThat(told).isNotNull();
    assertThat(told.answers())
        .hasSize(3)
        .filteredOn(answer -> answer.toString().contains("NOT_AUTHENTICATED"))
        .extracting(NodeAnswer::node)
        .satisfiesExactlyInAnyOrder(
            node -> assertThat(node).contains(address(second)),
            node -> assertThat(node).contains(address(third)));
    StringWriter trace = new StringWriter();
    told.printStackTrace(new PrintWriter(trace));
    expectNoSecretIn(trace.toString());
  }

  @Test
  void anOptionOfOneServerIsItsOwn() throws InterruptedException {
    try (LockClient client =
        logins("s3cret-three")
            .option("clientName", "everywhere")
            .nodeOption(address(second), "clientName", "here")
            .open()) {
      client.lock("a").acquire(Duration.ofSeconds(5)).close();
      assertThat(names(first)).contains("name=everywhere").doesNotContain("name=here");
      assertThat(names(second)).contains("name=here").doesNotContain("name=everywhere");
      assertThat(names(third)).contains("name=everywhere").doesNotContain("name=here");
    }
    assertThatThrownBy(
            () -> logins("s3cret-three").nodeOption(address(second), "leaseTime", "5s").open())
        .isInstanceOf(LockConfigurationException.class)
        .hasMessageContaining("leaseTime");
  }

  private static String names(RedisServer server) {
    return String.valueOf(server.command("CLIENT", "LIST"));
  }

  private void expectNoSecretIn(String... texts) {
    assertThat(texts).allSatisfy(text -> assertThat(text).doesNotContain("s3cret"));
    assertThat(log.lines).allSatisfy(line -> assertThat(line).doesNotContain("s3cret"));
  }

  /** All that is logged, with its stack traces. */
  private static final class Log extends Handler {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    @Override
    public void publish(LogRecord entry) {
      StringWriter text = new StringWriter().append(entry.getMessage());
      if (entry.getThrown() != null) {
        entry.getThrown().printStackTrace(new PrintWriter(text));
      }
      lines.add(text.toString());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
