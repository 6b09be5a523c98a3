package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Failed;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.GrantRequest;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.Queueing;
import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of a lock that too few replicas have. */
class ReplicationTest {
  private final TestContext context = new TestContext();

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void aLockThatCouldNotBeTakenBackIsNotSaidToBeFree() {
    LockUrl url = LockUrl.parse("lock:redis://localhost?minReplicas=1");
    LockNode node =
        new RedisLockNode(
            new Requests(
                Checked.servers(new WithoutReplicas(), url),
                new Guard(url, RedisServers.of(url), new Noticed("test")),
                url,
                context),
            Duration.ofSeconds(1));
    assertThat(grant(node))
        .isInstanceOfSatisfying(
            Failed.class,
            failed -> {
              assertThat(failed.kind().isAmbiguous()).isTrue();
              assertThat(failed.message()).contains("0 of 1 replicas").contains("NOREPLICAS");
            });
  }

  @Test
  void aGrantBehindWhichWaitIsRefusedIsNotSaidToBeRefused() {
    try (RedisServer server = RedisServer.start()) {
      server.command("ACL", "SETUSER", "default", "-wait");
      LockUrl url = LockUrl.parse("lock:redis://127.0.0.1:" + server.port() + "?minReplicas=1");
      try (LockNode node =
          new NodeOpening("wire", url, RedisServers.of(url), context)
              .open(port -> new WirePort(RedisServers.of(url)))) {
        GrantReply reply = grant(node);
        assertThat(server.command("EXISTS", "a")).isEqualTo(1L);
        assertThat(reply)
            .isInstanceOfSatisfying(
                Failed.class,
                failed -> {
                  assertThat(failed.kind().isAmbiguous()).isTrue();
                  assertThat(failed.message()).contains("WAIT").contains("NOPERM");
                });
      }
    }
  }

  @Test
  void replicasThatMayBeCutOffTogetherWithTheirPrimaryAreNoticed() {
    LockUrl url = LockUrl.parse("lock:redis-sentinel://localhost?masterName=m");
    Noticed noticed = new Noticed("test");
    Guard guard = new Guard(url, RedisServers.of(url), noticed);
    assertThat(check(guard, noticed, 1)).isTrue();
    assertThat(check(guard, noticed, 2)).isTrue();
    assertThat(noticed.findings()).as("the recommended setting for one and two replicas").isEmpty();
    assertThat(check(guard, noticed, 3)).isTrue();
    assertThat(noticed.findings())
        .singleElement()
        .satisfies(
            finding ->
                assertThat(finding.toString())
                    .contains("LH-205")
                    .contains("1 of its 3")
                    .contains("min-replicas-to-write to 2"));
  }

  private static boolean check(Guard guard, Noticed noticed, int replicas) {
    String info = Checked.PRIMARY + "connected_slaves:" + replicas + "\r\n";
    List<byte[]> settings =
        List.of(
            bytes("min-replicas-to-write"), bytes("1"), bytes("min-replicas-max-lag"), bytes("10"));
    return Checked.checks(
            Script.loadedAtOnce(Options.Layout.DISTLOCK), guard, noticed, info, settings)
        .passed()
        .toCompletableFuture()
        .join();
  }

  private static GrantReply grant(LockNode node) {
    return node.grant(
            new GrantRequest("a", "owner", 30_000, 1, GrantRequest.NO_DEADLINE, Queueing.NONE))
        .toCompletableFuture()
        .join();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A server that has just lost its replicas: what it granted it does not take back. */
  private static final class WithoutReplicas extends UnusedPort {
    @Override
    public CompletionStage<List<Object>> sendAlone(byte[] key, List<RedisCommand> commands) {
      return CompletableFuture.completedStage(
          List.of(
              List.of(bytes("GRANTED"), bytes("1700000000000000"), bytes("1"), bytes("0"), 0L),
              0L));
    }

    @Override
    public CompletionStage<Object> send(byte[] key, RedisCommand command) {
      return CompletableFuture.completedStage(
          new RedisErrorReply("NOREPLICAS Not enough good replicas to write."));
    }
  }
}
