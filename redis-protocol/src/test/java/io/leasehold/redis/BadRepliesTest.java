package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.driver.Redirection;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.GrantReply;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockUrl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every reader of replies, given replies that make no sense. */
class BadRepliesTest {
  private static final int COUNT = 10_000;

  private static final List<Function<List<?>, ?>> SCRIPTS =
      List.of(
          raw -> Replies.grant(raw, 7),
          Replies::grantWithoutToken,
          Replies::raise,
          Replies::release,
          raw -> Replies.transfer(raw, 7),
          Replies::longestQuarantine,
          Replies::vouch,
          Replies::leave,
          Replies::inspect,
          Replies::inspectHolder,
          Replies::inspectShares,
          raw -> Replies.extend(raw, 3));

  @Test
  void theReplyOfAScriptMeansSomethingOrIsUnreadable() {
    Seeds.each(
        COUNT,
        random -> {
          List<?> raw = new RandomReplies(random).script();
          SCRIPTS.forEach(read -> readOrUnreadable(() -> read.apply(raw)));
        });
  }

  @Test
  void nothingIsGrantedOutOfNonsense() {
    Seeds.each(
        COUNT,
        random -> {
          List<?> raw = new RandomReplies(random).script();
          if (!mayBeGrant(raw)) {
            assertThat(readOrUnreadable(() -> Replies.grant(raw, 7)) instanceof Granted)
                .as(shown(raw))
                .isEqualTo(raw.equals(List.of(1L))); // as proposed, in one number
            assertThat(readOrUnreadable(() -> Replies.transfer(raw, 7)) instanceof Granted)
                .as(shown(raw))
                .isFalse();
          }
        });
  }

  @Test
  void whateverIsAnsweredToACallBecomesAnAnswerOfTheNode() {
    Seeds.each(
        COUNT,
        random -> {
          Object reply = new RandomReplies(random).next();
          Object answer = answered(reply, raw -> Replies.grant(raw, 7));
          assertThat(answer).isInstanceOf(GrantReply.class);
          if (answer instanceof Failed failed) {
            boolean error = reply instanceof RedisErrorReply;
            assertThat(failed.kind() == FailureKind.PROTOCOL || error).as(shown(reply)).isTrue();
          }
          Object extended =
              answered(reply instanceof List<?> list ? list : null, raw -> Replies.extend(raw, 3));
          assertThat(extended).isNotNull();
        });
  }

  @Test
  void whatAServerTellsAboutItselfIsReadOrUnreadable() {
    Seeds.each(
        COUNT,
        random -> {
          RandomReplies replies = new RandomReplies(random);
          Object reply = replies.next();
          Object there = reply == null ? 0L : reply;
          assertThat(Guard.setting(there, "min-replicas-max-lag")).isGreaterThanOrEqualTo(-1);
          assertThat(ClientCard.read("client", there)).isNotNull();
          assertThat(check(there)).isIn(true, false);
          byte[] noise = new byte[random.nextInt(200)];
          random.nextBytes(noise);
          String text = new String(noise, UTF_8);
          readOrUnreadable(() -> new ServerInfo(text).identity());
          readOrUnreadable(() -> new ServerInfo("run_id:" + text + "\r\nrole:" + text).identity());
        });
  }

  @Test
  void anErrorIsShortAndARedirectionLeadsToAPort() {
    Seeds.each(
        COUNT,
        random -> {
          byte[] noise = new byte[random.nextInt(2_000)];
          random.nextBytes(noise);
          String start =
              List.of("", "MOVED ", "ASK 3 ", "MOVED 16384 a:1", "MOVED 7 :", "MOVED 7 h:99999 ")
                  .get(random.nextInt(6));
          RedisErrorReply error = new RedisErrorReply(start + new String(noise, UTF_8));
          assertThat(String.valueOf(error.getMessage())).hasSizeLessThanOrEqualTo(300);
          assertThat(Failures.of(error).kind()).isNotNull();
          Redirection.of(error).ifPresent(to -> assertThat(to.port()).isBetween(0, 99_999));
        });
  }

  /** The check of a server that answers INFO with anything. */
  private static boolean check(Object reply) {
    LockUrl url = LockUrl.parse("lock:redis://a");
    Noticed noticed = new Noticed("test");
    Guard guard = new Guard(url, RedisServers.of(url), noticed);
    ServerChecks checks =
        new ServerChecks(
            new ToldPort(reply),
            Runnable::run,
            List.of(),
            guard,
            noticed,
            (task, delay) -> () -> {},
            Duration.ofSeconds(1));
    return checks.passed().handle((passed, error) -> error == null).toCompletableFuture().join();
  }

  private static <T> @Nullable T readOrUnreadable(Callable<T> read) {
    try {
      return read.call();
    } catch (UnreadableReplyException | RedisErrorReply typed) {
      return null;
    } catch (Exception e) {
      throw new AssertionError("not a typed error", e);
    }
  }

  private static Object answered(@Nullable Object reply, Function<List<?>, Object> decode) {
    ScriptCall call = Script.INSPECT.call(List.of("k".getBytes(US_ASCII)));
    return Checked.on(new ToldPort(reply))
        .ask(call, decode, failed -> failed)
        .toCompletableFuture()
        .join();
  }

  /** Gives one reply to everything. */
  private static final class ToldPort extends UnusedPort {
    private final @Nullable Object reply;

    ToldPort(@Nullable Object reply) {
      this.reply = reply;
    }

    @Override
    @SuppressWarnings("NullAway") // a reply may be null
    public CompletionStage<Object> send(byte[] key, RedisCommand command) {
      return CompletableFuture.completedStage(reply);
    }

    @Override
    public CompletionStage<List<Primary>> primaries() {
      return CompletableFuture.completedStage(
          List.of(
              new Primary() {
                @Override
                public String address() {
                  return "a:1";
                }

                @Override
                @SuppressWarnings("NullAway") // a reply may be null
                public CompletionStage<Object> send(RedisCommand command) {
                  return CompletableFuture.completedStage(reply);
                }
              }));
    }
  }

  /** What the scripts' contract calls a grant, told by other means. */
  private static boolean mayBeGrant(List<?> raw) {
    if (raw.isEmpty() || !(raw.get(0) instanceof byte[] first)) {
      return false;
    }
    String text = new String(first, UTF_8);
    return text.equals("GRANTED")
        ? raw.size() == 5 && raw.get(4) instanceof Long
        : raw.size() == 1 && text.matches("[1-9]\\d{0,9} \\d{1,6} \\d{1,10}");
  }

  private static String shown(@Nullable Object reply) {
    if (reply instanceof List<?> list) {
      List<String> parts = new ArrayList<>();
      list.forEach(part -> parts.add(shown(part)));
      return parts.toString();
    }
    return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : String.valueOf(reply);
  }
}
