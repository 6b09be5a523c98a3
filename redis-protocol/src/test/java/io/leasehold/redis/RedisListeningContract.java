package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.Mischief;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.RedisVersion;
import io.leasehold.testkit.RogueProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link RedisListening} says, as tests on a real server. */
public abstract class RedisListeningContract extends RedisDriverFixture {
  private static final byte[] CHANNEL = {'c', 0, (byte) 0xff, '\r', '\n'};

  private final Heard heard = new Heard();

  /** For the test of one driver. */
  protected RedisListeningContract() {}

  @Test
  void messagesComeAsTheyWereSentInTheirOrder() {
    RedisDriver driver = driver();
    listen(driver, endpoint());
    RedisChannel sender = open(driver, endpoint());
    List<byte[]> payloads = new ArrayList<>();
    List<RedisCommand> commands = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      byte[] payload = {(byte) i, (byte) (i >> 8), 0, '\r', '\n', (byte) 0xfe};
      payloads.add(payload);
      commands.add(RedisCommand.of("PUBLISH", CHANNEL, payload));
      commands.add(RedisCommand.of("PUBLISH", "another", "other"));
    }
    payloads.add(new byte[0]);
    commands.add(RedisCommand.of("PUBLISH", CHANNEL, new byte[0]));
    List<Object> replies = get(sender.send(commands, LONG));
    assertThat(replies.get(0)).as("the subscription was confirmed").isEqualTo(1L);
    eventually(() -> heard.messages.size() >= payloads.size());
    assertThat(heard.messages.toArray(new byte[0][]))
        .isDeepEqualTo(payloads.toArray(new byte[0][]));
    assertThat(heard.broken).hasValue(0);
  }

  @Test
  void theChannelOfTheShardIsHeardOnTheSameConnectionWhenAskedFor() {
    RedisDriver driver = driver();
    RedisListening listening = get(driver.listen(endpoint(), CHANNEL, heard.onShard()));
    assertThat(connectionsNamed("contract")).isEqualTo(1);
    RedisChannel sender = open(driver, endpoint());
    assertThat(sendOne(sender, "SPUBLISH", CHANNEL, "shard")).isEqualTo(1L);
    assertThat(sendOne(sender, "PUBLISH", CHANNEL, "all")).isEqualTo(1L);
    eventually(() -> heard.messages.size() == 2);
    assertThat(heard.messages.stream().map(bytes -> new String(bytes, StandardCharsets.US_ASCII)))
        .containsExactly("shard", "all");
    get(listening.probe(LONG));
    assertThat(sendOne(sender, "SPUBLISH", CHANNEL, "after")).isEqualTo(1L);
    eventually(() -> heard.messages.size() == 3);
    assertThat(heard.broken).hasValue(0);
  }

  @Test
  void aServerThatHasNoShardsIsHeardAllTheSame() {
    try (RedisServer old = RedisServer.builder().version(RedisVersion.V6_2).start()) {
      RedisDriver driver = driver();
      Endpoint server = new Endpoint("127.0.0.1", old.port(), Endpoint.Kind.DATA);
      RedisListening listening = get(driver.listen(server, CHANNEL, heard.onShard()));
      assertThat(sendOne(open(driver, server), "PUBLISH", CHANNEL, "all")).isEqualTo(1L);
      eventually(() -> heard.messages.size() == 1);
      get(listening.probe(LONG));
      listening.close();
      assertThat(heard.broken).hasValue(0);
    }
  }

  @Test
  void severalListenEachOnAConnectionOfItsOwn() {
    RedisDriver driver = driver();
    RedisListening first = listen(driver, endpoint());
    Heard other = new Heard();
    get(driver.listen(endpoint(), CHANNEL, other));
    assertThat(connectionsNamed("contract")).isEqualTo(2);
    first.close();
    eventually(() -> connectionsNamed("contract") == 1);
    RedisChannel sender = open(driver, endpoint());
    assertThat(sendOne(sender, "PUBLISH", CHANNEL, "x")).isEqualTo(1L);
    eventually(() -> other.messages.size() == 1);
    assertThat(heard.messages).isEmpty();
  }

  @Test
  void theServerIsGreetedAsForCommands() {
    server().command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all");
    listen(driver("redis://app:pw@h?clientName=listener"), endpoint());
    assertThat(clientList().lines().filter(line -> line.contains("name=listener")))
        .singleElement()
        .asString()
        .contains("user=app")
        .contains("sub=1");
  }

  @Test
  void aLostConnectionIsReportedOnceAndNotRestored() {
    FaultyProxy proxy = proxy();
    RedisListening listening = listen(driver(), endpoint(proxy));
    long connections = proxy.connections();
    proxy.cut(Cut.RST);
    eventually(() -> heard.broken.get() == 1);
    failure(listening.probe(LONG));
    listening.close();
    staysTrue(() -> heard.broken.get() == 1 && proxy.connections() == connections);
  }

  @Test
  void aServerThatDiesIsReportedOnce() {
    RedisServer mortal = closing(RedisServer.start());
    listen(driver(), Endpoint.data(mortal.host(), mortal.port()));
    mortal.kill();
    eventually(() -> heard.broken.get() == 1);
    staysTrue(() -> heard.broken.get() == 1);
  }

  @Test
  void aClosedListeningIsNotReportedAsBroken() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisListening listening = listen(driver, endpoint(proxy));
    proxy.blackHole();
    assertAtOnce(listening::close);
    assertAtOnce(listening::close);
    assertNothingLeftOpen(proxy);
    staysTrue(() -> heard.broken.get() == 0);
    failure(listening.probe(LONG));
  }

  @Test
  void aClosedDriverListensNoMoreAndReportsNothing() {
    RedisDriver driver = driver();
    listen(driver, endpoint());
    driver.close();
    eventually(() -> connectionsNamed("contract") == 0);
    staysTrue(() -> heard.broken.get() == 0);
  }

  @Test
  void theServerAnswersAProbeOnTheVeryConnection() {
    FaultyProxy proxy = proxy();
    RedisListening listening = listen(driver(), endpoint(proxy));
    long connections = proxy.connections();
    for (int i = 0; i < 3; i++) {
      long asked = proxy.traffic(Direction.TO_SERVER).bytes();
      long answered = proxy.traffic(Direction.TO_CLIENT).bytes();
      get(listening.probe(LONG));
      assertThat(proxy.traffic(Direction.TO_SERVER).bytes()).isGreaterThan(asked);
      assertThat(proxy.traffic(Direction.TO_CLIENT).bytes()).isGreaterThan(answered);
    }
    assertThat(proxy.connections()).isEqualTo(connections);
    server().command("PUBLISH", "c", "x");
    assertThat(heard.messages).as("an answer is not a message").isEmpty();
  }

  @Test
  void aProbeIntoABlackHoleReturnsAtOnceAndIsNotAnswered() {
    FaultyProxy proxy = proxy();
    RedisListening listening = listen(driver(), endpoint(proxy));
    proxy.blackHole();
    List<CompletableFuture<?>> probes = new ArrayList<>();
    assertAtOnce(() -> probes.add(listening.probe(LONG).toCompletableFuture()));
    CompletableFuture<?> probe = probes.get(0);
    staysTrue(() -> !probe.isDone() || probe.isCompletedExceptionally());
  }

  @Test
  void aProbeFailsWhenTheConnectionBreaks() {
    FaultyProxy proxy = proxy();
    RedisListening listening = listen(driver(), endpoint(proxy));
    proxy.blackHole();
    CompletableFuture<?> probe = listening.probe(LONG).toCompletableFuture();
    proxy.cut(Cut.RST);
    failure(probe);
    eventually(() -> heard.broken.get() == 1);
  }

  @Test
  void aServerThatDoesNotAnswerIsUnreachableWithinTheConnectTimeout() {
    RedisDriver driver = driver("redis://h?clientName=contract&connectTimeout=1s");
    FaultyProxy proxy = proxy();
    proxy.blackHole();
    long start = System.nanoTime();
    Throwable error =
        failure(onThread(() -> checked(driver, driver.listen(endpoint(proxy), CHANNEL, heard))));
    assertFailure(error, FailureKind.UNREACHABLE);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2500));
    assertNothingLeftOpen(proxy);
    staysTrue(() -> heard.broken.get() == 0);
  }

  @Test
  void aServerThatRefusesTheLoginOrTheChannelSaysWhy() {
    server().command("ACL", "SETUSER", "deaf", "on", ">s3cr3t", "~*", "resetchannels", "+@all");
    Throwable login = failure(driver("redis://deaf:wr0ng@h").listen(endpoint(), CHANNEL, heard));
    assertErrorReply(login, "WRONGPASS");
    assertThat(trace(login)).doesNotContain("wr0ng");
    Throwable channel =
        failure(driver("redis://deaf:s3cr3t@h?clientName=deaf").listen(endpoint(), CHANNEL, heard));
    assertErrorReply(channel, "NOPERM");
    assertThat(trace(channel)).doesNotContain("s3cr3t");
    eventually(() -> connectionsNamed("deaf") == 0);
    staysTrue(() -> heard.broken.get() == 0);
  }

  @Test
  void aServerThatIsNotThereIsUnreachable() {
    FaultyProxy proxy = proxy();
    proxy.refuse();
    assertFailure(
        failure(driver().listen(endpoint(proxy), CHANNEL, heard)), FailureKind.UNREACHABLE);
    staysTrue(() -> heard.broken.get() == 0);
  }

  /** Each is a reply, or many: what is no RESP at all, or has no end, is for RogueServerTest. */
  @ParameterizedTest
  @EnumSource(
      names = {
        "WRONG_TYPE",
        "STATUS",
        "NULL_TEXT",
        "NULL_LIST",
        "EMPTY_LIST",
        "TOO_MANY_PARTS",
        "NESTED",
        "UNKNOWN_OUTCOME",
        "NEGATIVE_NUMBERS",
        "NUMBERS_TOO_LARGE",
        "ENDLESS_REPLIES"
      })
  void whateverIsNoConfirmationIsNone(Mischief mischief) {
    try (RogueProxy rogue = RogueProxy.to(server(), 1)) {
      RedisDriver driver = driver("redis://h?clientName=contract&connectTimeout=1s");
      rogue.misbehave("SUBSCRIBE", mischief);
      failure(
          onThread(
              () ->
                  checked(
                      driver,
                      driver.listen(Endpoint.data("127.0.0.1", rogue.port()), CHANNEL, heard))));
      eventually(() -> rogue.openConnections() == 0);
      assertThat(heard.broken).as("there was nothing that could break").hasValue(0);

      rogue.behave();
      listen(driver, Endpoint.data("127.0.0.1", rogue.port()));
      assertThat(rogue.interject(mischief)).isEqualTo(1);
      eventually(() -> heard.broken.get() == 1);
      eventually(() -> rogue.openConnections() == 0);
      assertThat(heard.messages).isEmpty();
    }
  }

  @Test
  void aLongMessageComesWhole() {
    listen(driver(), endpoint());
    byte[] payload = "x".repeat(500_000).getBytes(StandardCharsets.US_ASCII);
    sendOne(open(driver(), endpoint()), "PUBLISH", CHANNEL, payload);
    eventually(() -> heard.messages.size() == 1);
    assertThat(heard.messages.get(0)).isEqualTo(payload);
  }

  private RedisListening listen(RedisDriver driver, Endpoint server) {
    return get(checked(driver, driver.listen(server, CHANNEL, heard)));
  }

  private static void assertAtOnce(Runnable call) {
    long start = System.nanoTime();
    call.run();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
  }
}
