package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.AfterDrop;
import io.leasehold.testkit.Cut;
import io.leasehold.testkit.Direction;
import io.leasehold.testkit.FaultyProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What {@link RedisChannel} says of commands and replies, as tests on a real server. */
public abstract class RedisChannelContract extends RedisDriverFixture {
  private static final String REPLIES =
      """
      return {7, 'bulk', {ok='SIMPLE'}, false, {}, {{-1, {'deep', false}}, 'tail'}, '', \
      9007199254740991}""";

  /** For the test of one driver. */
  protected RedisChannelContract() {}

  @Test
  void repliesAreNumbersBytesListsAndNulls() {
    RedisChannel channel = open(driver(), endpoint());
    Object reply = sendOne(channel, "EVAL", REPLIES, "0");
    assertThat(plain(reply))
        .isEqualTo(
            Arrays.asList(
                7L,
                "bulk",
                "SIMPLE",
                null,
                List.of(),
                List.of(List.of(-1L, Arrays.asList("deep", null)), "tail"),
                "",
                9007199254740991L));
  }

  @Test
  void everyTypeMayBeTheWholeReply() {
    RedisChannel channel = open(driver(), endpoint());
    List<Object> replies =
        send(
            channel,
            RedisCommand.of("SET", "key", "value"),
            RedisCommand.of("GET", "key"),
            RedisCommand.of("GET", "no such key"),
            RedisCommand.of("STRLEN", "key"),
            RedisCommand.of("LRANGE", "no such key", "0", "-1"),
            RedisCommand.of("MGET", "key", "no such key"),
            RedisCommand.of("BLPOP", "no such key", "0.01"),
            RedisCommand.of("DECRBY", "number", Long.toString(Long.MAX_VALUE)));
    assertThat(replies.stream().map(RedisChannelContract::plain))
        .containsExactly(
            "OK",
            "value",
            null,
            5L,
            List.of(),
            Arrays.asList("value", null),
            null,
            -Long.MAX_VALUE);
  }

  @Test
  void anErrorStandsInItsPlaceAmongTheReplies() {
    RedisChannel channel = open(driver(), endpoint());
    List<Object> replies =
        send(
            channel,
            RedisCommand.of("SET", "key", "value"),
            RedisCommand.of("LPUSH", "key", "element"),
            RedisCommand.of("NOSUCHCOMMAND", "secret"),
            RedisCommand.of("GET", "key"));
    assertThat(replies).hasSize(4);
    assertThat(text(replies.get(0))).isEqualTo("OK");
    assertErrorReply(replies.get(1), "WRONGTYPE");
    assertErrorReply(replies.get(2), "ERR");
    assertThat(trace((RedisErrorReply) replies.get(2))).doesNotContain("secret");
    assertThat(text(replies.get(3))).isEqualTo("value");
  }

  @Test
  void anErrorStandsInItsPlaceWithinAList() {
    RedisChannel channel = open(driver(), endpoint());
    List<?> reply =
        (List<?>)
            Objects.requireNonNull(
                sendOne(channel, "EVAL", "return {1, {{err='WRONGTYPE it is'}, 2}, 3}", "0"));
    List<?> inner = (List<?>) reply.get(1);
    assertErrorReply(inner.get(0), "WRONGTYPE");
    assertThat(inner.get(1)).isEqualTo(2L);
    assertThat(reply.get(2)).isEqualTo(3L);
  }

  @Test
  void anErrorAloneIsAReplyToo() {
    RedisChannel channel = open(driver(), endpoint());
    assertErrorReply(sendOne(channel, "INCR", "a", "b"), "ERR");
    assertThat(text(sendOne(channel, "PING"))).isEqualTo("PONG");
  }

  @Test
  void argumentsAndRepliesAreBytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    RedisChannel channel = open(driver(), endpoint());
    List<Object> replies =
        send(
            channel,
            RedisCommand.of("SET", all, all),
            RedisCommand.of("GET", all),
            RedisCommand.of("ECHO", new byte[0]),
            RedisCommand.of("EVAL", "return {KEYS[1], ARGV[1]}", "1", all, "\r\n"));
    assertThat((byte[]) replies.get(1)).isEqualTo(all);
    assertThat((byte[]) replies.get(2)).isEmpty();
    assertThat((byte[]) ((List<?>) replies.get(3)).get(1))
        .isEqualTo("\r\n".getBytes(StandardCharsets.US_ASCII));
    assertThat((byte[]) ((List<?>) replies.get(3)).get(0)).isEqualTo(all);
  }

  @Test
  void aLongTextComesWhole() {
    byte[] megabytes = new byte[3_000_000];
    new Random(7).nextBytes(megabytes);
    RedisChannel channel = open(driver(), endpoint());
    List<Object> replies =
        send(channel, RedisCommand.of("SET", "k", megabytes), RedisCommand.of("GET", "k"));
    assertThat((byte[]) replies.get(1)).isEqualTo(megabytes);
  }

  @Test
  void oneSendMayCarryAThousandCommands() {
    RedisChannel channel = open(driver(), endpoint());
    List<RedisCommand> commands = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      commands.add(RedisCommand.of("INCR", "count"));
    }
    assertThat(get(channel.send(commands, LONG)))
        .isEqualTo(IntStream.rangeClosed(1, 1000).mapToObj(i -> (Object) (long) i).toList());
  }

  @Test
  void noCommandsHaveNoReplies() {
    assertThat(send(open(driver(), endpoint()))).isEmpty();
  }

  @Test
  void theCommandsOfOneSendGoOverOneConnectionInTheirOrderWhoeverElseSends() {
    RedisChannel channel = open(driver(), endpoint());
    List<CompletableFuture<List<Object>>> sent = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      String mine = "sender-" + i;
      sent.add(
          onThread(
              () ->
                  channel.send(
                      List.of(
                          RedisCommand.of("CLIENT", "ID"),
                          RedisCommand.of("SET", mine, "a"),
                          RedisCommand.of("APPEND", mine, "b"),
                          RedisCommand.of("APPEND", mine, "c"),
                          RedisCommand.of("GET", mine),
                          RedisCommand.of("ECHO", mine),
                          RedisCommand.of("CLIENT", "ID")),
                      LONG)));
    }
    for (int i = 0; i < sent.size(); i++) {
      List<Object> replies = get(sent.get(i));
      assertThat(plain(replies.subList(1, 6)))
          .isEqualTo(List.of("OK", 2L, 3L, "abc", "sender-" + i));
      assertThat(replies.get(6)).isEqualTo(replies.get(0));
    }
  }

  /** What one command sets for the next, as ASKING does, must not meet somebody else's command. */
  @Test
  void noOtherCommandComesBetweenThoseOfOneSend() {
    RedisChannel channel = open(driver(), endpoint());
    List<CompletableFuture<List<Object>>> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      RedisCommand set = RedisCommand.of("CLIENT", "SETNAME", "name-" + i);
      RedisCommand get = RedisCommand.of("CLIENT", "GETNAME");
      sent.add(onThread(() -> channel.send(List.of(set, get, get, get), LONG)));
    }
    for (int i = 0; i < sent.size(); i++) {
      String mine = "name-" + i;
      assertThat(plain(get(sent.get(i)))).isEqualTo(List.of("OK", mine, mine, mine));
    }
  }

  @Test
  void allCommandsAreSentBeforeAReplyIsWaitedFor() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole(Direction.TO_CLIENT);
    CompletableFuture<List<Object>> sent =
        onThread(
            () ->
                channel.send(
                    List.of(
                        RedisCommand.of("INCR", "count"),
                        RedisCommand.of("INCR", "count"),
                        RedisCommand.of("INCR", "count")),
                    LONG));
    eventually(() -> server().calls("incr") == 3);
    assertThat(sent).isNotDone();
    proxy.heal();
    assertThat(get(sent)).containsExactly(1L, 2L, 3L);
  }

  @Test
  void theServersDirectionsAreNotFollowed() {
    RedisChannel channel = open(driver(), endpoint());
    for (String code : List.of("MOVED", "ASK")) {
      String script = "return redis.error_reply('" + code + " 1 127.0.0.1:1')";
      Object reply = sendOne(channel, "EVAL", script, "0");
      assertErrorReply(reply, code);
      assertThat((RedisErrorReply) reply).hasMessage(code + " 1 127.0.0.1:1");
    }
    assertThat(server().calls("eval")).isEqualTo(2);
  }

  @Test
  void aScriptThatTheServerDoesNotKnowIsNotSentAsText() {
    RedisChannel channel = open(driver(), endpoint());
    assertErrorReply(sendOne(channel, "EVALSHA", "0".repeat(40), "0"), "NOSCRIPT");
    assertThat(server().calls("eval")).isZero();
    assertThat(server().calls("evalsha")).isLessThanOrEqualTo(1);
  }

  @Test
  void aCommandWhoseReplyIsLostIsNotSentAgain() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.dropNextReply(AfterDrop.CUT);
    assertFailure(
        failure(onThread(() -> channel.send(List.of(RedisCommand.of("INCR", "count")), LONG))),
        FailureKind.CONNECTION_LOST);
    if (driver.blocking()) {
      assertThat(text(sendOne(channel, "GET", "count"))).isEqualTo("1");
      assertThat(broken).hasValue(0);
    } else {
      eventually(() -> broken.get() == 1);
    }
    staysTrue(() -> server().calls("incr") == 1 && broken.get() <= 1);
  }

  @Test
  void aConnectionThatIsEndedInOrderBeforeTheReplyIsLost() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole(Direction.TO_CLIENT);
    CompletableFuture<List<Object>> sent =
        onThread(() -> channel.send(List.of(RedisCommand.of("INCR", "count")), LONG));
    eventually(() -> server().calls("incr") == 1);
    proxy.cut(Cut.FIN);
    assertFailure(failure(sent), FailureKind.CONNECTION_LOST);
    staysTrue(() -> server().calls("incr") == 1);
  }

  @Test
  void aCommandIsNotKeptUntilThereIsAConnection() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.refuse();
    proxy.cut(Cut.RST);
    eventually(() -> driver.blocking() || broken.get() == 1);
    for (int i = 0; i < 3; i++) {
      assertFailure(
          failure(onThread(() -> channel.send(List.of(RedisCommand.of("INCR", "count")), LONG))),
          FailureKind.UNREACHABLE,
          FailureKind.CONNECTION_LOST);
    }
    proxy.heal();
    staysTrue(() -> server().calls("incr") == 0);
  }

  @Test
  void aChannelThatBlocksGivesUpInTimeAndGivesNobodyALateReply() {
    RedisDriver driver = driver();
    assumeTrue(driver.blocking(), "its user watches the clock");
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole(Direction.TO_CLIENT);
    long start = System.nanoTime();
    assertFailure(
        failure(channel.send(List.of(RedisCommand.of("ECHO", "late")), Duration.ofMillis(300))),
        FailureKind.TIMEOUT);
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    assertThat(took).isBetween(Duration.ofMillis(250), AT_ONCE);
    proxy.heal();
    assertThat(text(sendOne(channel, "ECHO", "fresh"))).isEqualTo("fresh");
    assertThat(broken).hasValue(0);
  }

  @Test
  void theTimeHoldsForAllRepliesTogether() {
    RedisDriver driver = driver();
    assumeTrue(driver.blocking(), "its user watches the clock");
    RedisChannel channel = connected(driver, endpoint());
    RedisCommand slow = RedisCommand.of("BLPOP", "no such key", "0.3");
    long start = System.nanoTime();
    assertFailure(
        failure(channel.send(List.of(slow, slow, slow, slow, slow, slow), Duration.ofMillis(500))),
        FailureKind.TIMEOUT);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1200));
  }

  @Test
  void aChannelThatDoesNotBlockReturnsAtOnce() {
    RedisDriver driver = driver();
    assumeFalse(driver.blocking(), "blocks");
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole();
    long start = System.nanoTime();
    CompletableFuture<?> sent =
        channel.send(List.of(RedisCommand.of("ECHO", "x")), LONG).toCompletableFuture();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    assertThat(sent).isNotDone();
    proxy.heal();
    get(sent);
  }

  @Test
  void whatIsUnderWayWhenTheChannelClosesFails() {
    RedisDriver driver = driver();
    FaultyProxy proxy = proxy();
    RedisChannel channel = connected(driver, endpoint(proxy));
    proxy.blackHole();
    long before = proxy.traffic(Direction.TO_SERVER).chunks();
    CompletableFuture<List<Object>> sent =
        onThread(() -> channel.send(List.of(RedisCommand.of("INCR", "count")), LONG));
    staysTrue(() -> !sent.isDone() && proxy.traffic(Direction.TO_SERVER).chunks() == before);
    long start = System.nanoTime();
    channel.close();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(AT_ONCE);
    assertFailure(failure(sent), FailureKind.CLOSED);
    assertFailure(
        failure(channel.send(List.of(RedisCommand.of("PING")), LONG)), FailureKind.CLOSED);
    staysTrue(() -> broken.get() == 0);
    connected(driver, endpoint());
  }

  @Test
  void aReplyMayBeWorkedOnWhereItArrives() {
    RedisChannel channel = open(driver(), endpoint());
    List<Object> second =
        get(
            channel
                .send(List.of(RedisCommand.of("ECHO", "again")), LONG)
                .thenCompose(
                    first ->
                        channel.send(List.of(RedisCommand.of("ECHO", text(first.get(0)))), LONG)));
    assertThat(text(second.get(0))).isEqualTo("again");
  }

  /** A reply with texts in place of bytes, for comparison; fails for any other type. */
  private static @Nullable Object plain(@Nullable Object reply) {
    if (reply == null || reply instanceof Long) {
      return reply;
    }
    if (reply instanceof List<?> list) {
      List<@Nullable Object> texts = new ArrayList<>();
      list.forEach(element -> texts.add(plain(element)));
      return texts;
    }
    return text(reply);
  }
}
