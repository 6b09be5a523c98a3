package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisCommand;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.testkit.RedisServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Commands and replies of a {@link DriverPort} on one server. */
public abstract class PortCommandsContract extends PortFixture {
  private static final String REPLIES =
      """
      return {7, 'bulk', {ok='SIMPLE'}, false, {}, {{-1, {'deep', false}}, 'tail'}, '', \
      9007199254740991}""";

  private static @Nullable RedisServer shared;

  /** For the test of one driver. */
  protected PortCommandsContract() {}

  @BeforeAll
  static void startServer() {
    shared = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server().close();
    shared = null;
  }

  @BeforeEach
  void emptyServer() {
    server().command("FLUSHALL");
    server().command("SCRIPT", "FLUSH");
    server().command("CONFIG", "RESETSTAT");
  }

  private static RedisServer server() {
    return Objects.requireNonNull(shared);
  }

  private DriverPort port() {
    return port(url(server()));
  }

  @Test
  void repliesAreNumbersBytesListsAndNulls() {
    assertThat(plain(ask(port(), "k", "EVAL", REPLIES, "1", "k")))
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
    DriverPort port = port();
    assertThat(plain(ask(port, "key", "SET", "key", "value"))).isEqualTo("OK");
    assertThat(plain(ask(port, "key", "GET", "key"))).isEqualTo("value");
    assertThat(ask(port, "no such key", "GET", "no such key")).isNull();
    assertThat(ask(port, "key", "STRLEN", "key")).isEqualTo(5L);
    assertThat(ask(port, "list", "LRANGE", "list", "0", "-1")).isEqualTo(List.of());
    assertThat(ask(port, "number", "DECRBY", "number", Long.toString(Long.MAX_VALUE)))
        .isEqualTo(-Long.MAX_VALUE);
  }

  @Test
  void anErrorIsAReply() {
    DriverPort port = port();
    ask(port, "key", "SET", "key", "value");
    assertErrorReply(ask(port, "key", "LPUSH", "key", "element"), "WRONGTYPE");
    Object unknown = ask(port, "key", "NOSUCHCOMMAND", "secret");
    assertErrorReply(unknown, "ERR");
    assertThat(trace((RedisErrorReply) Objects.requireNonNull(unknown))).doesNotContain("secret");
    assertThat(plain(ask(port, "key", "GET", "key"))).isEqualTo("value");
  }

  @Test
  void anErrorWithinAListIsAnElement() {
    List<?> reply =
        (List<?>)
            Objects.requireNonNull(
                ask(port(), "k", "EVAL", "return {1, {{err='WRONGTYPE it is'}, 2}, 3}", "1", "k"));
    List<?> inner = (List<?>) reply.get(1);
    assertErrorReply(inner.get(0), "WRONGTYPE");
    assertThat(inner.get(1)).isEqualTo(2L);
    assertThat(reply.get(2)).isEqualTo(3L);
  }

  @Test
  void argumentsAndRepliesAreBytes() {
    byte[] all = new byte[256];
    for (int i = 0; i < all.length; i++) {
      all[i] = (byte) i;
    }
    DriverPort port = port();
    get(onThread(() -> port.send(all, RedisCommand.of("SET", all, all))));
    assertThat((byte[]) get(onThread(() -> port.send(all, RedisCommand.of("GET", all)))))
        .isEqualTo(all);
    assertThat((byte[]) ask(port, "k", "ECHO", new byte[0])).isEmpty();
    byte[] big = new byte[3_000_000];
    new Random(7).nextBytes(big);
    ask(port, "big", "SET", "big", big);
    assertThat((byte[]) ask(port, "big", "GET", "big")).isEqualTo(big);
  }

  @Test
  void aScriptThatTheServerDoesNotHaveIsNotSentAsText() {
    assertErrorReply(ask(port(), "k", "EVALSHA", "0".repeat(40), "1", "k"), "NOSCRIPT");
    assertThat(server().calls("eval")).isZero();
    assertThat(server().calls("evalsha")).isLessThanOrEqualTo(1);
  }

  @Test
  void scriptsRunByTheirDigest() {
    DriverPort port = port();
    Object digest = ask(port, "k", "SCRIPT", "LOAD", "return {KEYS[1], ARGV[1]}");
    Object reply = ask(port, "k", "EVALSHA", Objects.requireNonNull(digest), "1", "k", "a");
    assertThat(plain(reply)).isEqualTo(List.of("k", "a"));
  }

  @Test
  void everyThreadGetsItsOwnReplies() {
    DriverPort port = port();
    List<CompletableFuture<Object>> sent = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      sent.add(sent(port, "k" + i, "ECHO", "mine-" + i));
    }
    for (int i = 0; i < sent.size(); i++) {
      assertThat(text(get(sent.get(i)))).isEqualTo("mine-" + i);
    }
  }

  @Test
  void aCommandMayBeSentWhereAReplyArrives() {
    DriverPort port = port();
    CompletionStage<Object> second =
        onThread(
            () ->
                port.send(key("k"), RedisCommand.of("ECHO", "again"))
                    .thenCompose(
                        first -> port.send(key("k"), RedisCommand.of("ECHO", text(first)))));
    assertThat(text(get(second))).isEqualTo("again");
  }

  @Test
  void eachOfSeveralCommandsHasItsReply() {
    DriverPort port = port();
    List<byte[]> keys = new ArrayList<>();
    List<RedisCommand> commands = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      keys.add(key("count"));
      commands.add(
          i == 500 ? RedisCommand.of("LPUSH", "count", "x") : RedisCommand.of("INCR", "count"));
    }
    CompletableFuture<List<CompletionStage<Object>>> all =
        onThread(() -> CompletableFuture.completedStage(port.sendAll(keys, commands)));
    List<Object> replies = get(all).stream().map(PortFixture::get).toList();
    assertErrorReply(replies.get(500), "WRONGTYPE");
    assertThat(replies.stream().filter(Long.class::isInstance).sorted())
        .isEqualTo(IntStream.range(1, 1_000).mapToObj(i -> (Object) (long) i).toList());
    assertThat(port.sendAll(List.of(), List.of())).isEmpty();
  }

  @Test
  void whatIsSentAloneGoesOverOneConnectionThatIsNotShared() {
    DriverPort port = port();
    List<CompletableFuture<List<Object>>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      RedisCommand set = RedisCommand.of("CLIENT", "SETNAME", "name-" + i);
      RedisCommand get = RedisCommand.of("CLIENT", "GETNAME");
      sent.add(onThread(() -> port.sendAlone(key("k"), List.of(set, get, get, get))));
    }
    for (int i = 0; i < sent.size(); i++) {
      String mine = "name-" + i;
      assertThat(plain(get(sent.get(i)))).isEqualTo(List.of("OK", mine, mine, mine));
    }
  }

  @Test
  void otherCallsGoOnWhileOneWaitsForReplicas() {
    DriverPort port = port(url(server()), LONG);
    ask(port, "k", "PING");
    CompletableFuture<List<Object>> waiting =
        onThread(
            () ->
                port.sendAlone(
                    key("k"),
                    List.of(
                        RedisCommand.of("SET", "k", "v"), RedisCommand.of("WAIT", "1", "1500"))));
    eventually(() -> text(server().command("GET", "k") == null ? key("") : key("v")).equals("v"));
    for (int i = 0; i < 10; i++) {
      assertThat(text(ask(port, "k", "GET", "k"))).isEqualTo("v");
    }
    assertThat(waiting).as("WAIT is still under way").isNotDone();
    assertThat(plain(get(waiting))).isEqualTo(List.of("OK", 0L));
  }

  @Test
  void everyPrimaryIsThere() {
    DriverPort port = port();
    List<DriverPort.Primary> primaries = get(onThread(port::primaries));
    assertThat(primaries).hasSize(1);
    ask(port, "k", "SET", "k", "v");
    assertThat(get(onThread(() -> primaries.get(0).send(RedisCommand.of("DBSIZE"))))).isEqualTo(1L);
  }

  @Test
  void theUrlSaysWhoWeAreAndWhere() {
    server().command("ACL", "SETUSER", "app", "on", ">pw", "~*", "&*", "+@all");
    try {
      DriverPort port =
          port("redis://app:pw@" + server().host() + ":" + server().port() + "/3?clientName=me");
      ask(port, "k", "SET", "k", "v");
      assertThat(text(ask(port, "k", "ACL", "WHOAMI"))).isEqualTo("app");
      assertThat(text(ask(port, "k", "CLIENT", "GETNAME"))).isEqualTo("me");
      assertThat(String.valueOf(server().command("INFO", "keyspace"))).contains("db3:keys=1");
      Recorder recorder = new Recorder();
      get(onThread(() -> port.subscribe(key("k"), key("news"), recorder).thenApply(x -> true)));
      // A pool may lend the one idle connection to the subscription.
      assertThat(connectionsNamed(server(), "me")).isGreaterThanOrEqualTo(port.blocking() ? 1 : 2);
    } finally {
      server().command("ACL", "DELUSER", "app");
    }
  }

  @Test
  void aServerThatRefusesTheLoginSaysWhy() {
    DriverPort port = port("redis://stranger:wr0ng@" + server().host() + ":" + server().port());
    Throwable refused = failure(sent(port, "k", "PING"));
    assertErrorReply(refused, "WRONGPASS");
    assertThat(trace(refused)).doesNotContain("wr0ng");
  }

  @Test
  void aPortThatDoesNotBlockReturnsWhileTheServerIsSilent() {
    DriverPort port = port(url(server()), LONG.dividedBy(2));
    ask(port, "k", "PING");
    server().pause();
    try {
      CompletableFuture<Boolean> returned = new CompletableFuture<>();
      CompletableFuture<Object> sent =
          onThread(
              () -> {
                CompletionStage<Object> stage = port.send(key("k"), RedisCommand.of("PING"));
                returned.complete(stage.toCompletableFuture().isDone());
                return stage;
              });
      if (!port.blocking()) {
        assertThat(get(returned)).as("the stage is completed later").isFalse();
      }
      assertThat(sent).isNotDone();
    } finally {
      server().resume();
    }
  }

  @Test
  void whatBlocksReturnsCompletedStages() {
    DriverPort port = port();
    CompletionStage<Object> sent = port.send(key("k"), RedisCommand.of("PING"));
    if (port.blocking()) {
      assertThat(sent.toCompletableFuture()).isDone();
    }
    assertThat(new String((byte[]) get(sent), StandardCharsets.US_ASCII)).isEqualTo("PONG");
  }
}
