package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.LockUrl;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What sentinels are asked, and what they say by themselves. */
class SentinelsTest {
  private static final Endpoint PRIMARY = Endpoint.data("10.0.0.7", 6379);

  private final TestContext context = new TestContext();
  private final FakeSentinels fake = new FakeSentinels();
  private final AtomicInteger rechecks = new AtomicInteger();
  private final Sentinels sentinels = sentinels("lock:redis-sentinel://:s3cret@s1,s2?masterName=m");

  @AfterEach
  void close() {
    sentinels.close();
    context.close();
  }

  @Test
  void thePrimaryIsWhomTheFirstOneThatAnswersNames() {
    fake.down = "s1";
    assertThat(get()).isEqualTo(PRIMARY);
    assertThat(fake.asked).containsExactly("s1", "s2");
    assertThat(get()).isEqualTo(PRIMARY);
    assertThat(fake.asked).containsExactly("s1", "s2", "s2"); // the one that answered goes first
  }

  @Test
  void aFailoverIsHeardOfAndThatOfAnotherPrimaryIsNot() {
    get();
    fake.say("other 10.0.0.1 1 10.0.0.2 2");
    fake.say("mm 10.0.0.1 1 10.0.0.2 2");
    assertThat(rechecks).hasValue(0);
    fake.say("m 10.0.0.7 6379 10.0.0.8 6379");
    assertThat(rechecks).hasPositiveValue();
    // And once more: whoever was asked at once may not have heard of it.
    await().atMost(Duration.ofSeconds(10)).until(() -> rechecks.get() == 2);
  }

  @Test
  void whoeverIsListenedToIsReplacedWhenItBreaksAndWhatWasMissedIsLookedFor() {
    get();
    assertThat(fake.heard).hasSize(1);
    fake.heard.get(0).broken();
    await().atMost(Duration.ofSeconds(10)).until(() -> fake.heard.size() == 2);
    await().atMost(Duration.ofSeconds(10)).until(() -> rechecks.get() == 1);
  }

  @Test
  void aSentinelThatWantsALoginGetsItAndIsNotListenedTo() {
    fake.wantsLogin = true;
    assertThat(get()).isEqualTo(PRIMARY);
    assertThat(fake.commands).containsSequence("SENTINEL", "AUTH", "SENTINEL");
    assertThat(fake.heard).isEmpty();
  }

  @Test
  void closingEndsTheListening() {
    get();
    sentinels.close();
    assertThat(fake.closed).hasValue(1);
  }

  private Endpoint get() {
    return sentinels.get().toCompletableFuture().join();
  }

  private Sentinels sentinels(String text) {
    LockUrl url = LockUrl.parse(text);
    Duration second = Duration.ofSeconds(1);
    Sentinels made =
        new Sentinels(
            new Wiring(fake, context, Runnable::run, second, second), RedisServers.of(url), url);
    made.tell(rechecks::incrementAndGet);
    return made;
  }

  /** Sentinels that answer at once, or not at all. */
  private static final class FakeSentinels implements RedisDriver {
    private final List<String> asked = new ArrayList<>();
    private final List<String> commands = new ArrayList<>();
    private final List<RedisListening.Events> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger closed = new AtomicInteger();
    private String down = "";
    private boolean wantsLogin;

    @Override
    public boolean blocking() {
      return false;
    }

    @Override
    public CompletionStage<RedisChannel> open(Endpoint server, Runnable broken) {
      asked.add(server.host());
      if (server.host().equals(down)) {
        return CompletableFuture.failedStage(
            RedisConnectionFailure.unreachable("nobody listens", null));
      }
      return CompletableFuture.completedStage(
          new RedisChannel() {
            @Override
            public CompletionStage<List<Object>> send(List<RedisCommand> sent, Duration within) {
              List<Object> replies = new ArrayList<>();
              for (RedisCommand command : sent) {
                commands.add(command.name());
                boolean refused = wantsLogin && sent.size() == 1;
                replies.add(
                    refused
                        ? new RedisErrorReply("NOAUTH Authentication required.")
                        : List.of(bytes("10.0.0.7"), bytes("6379")));
              }
              return CompletableFuture.completedStage(replies);
            }

            @Override
            public void close() {}
          });
    }

    @Override
    public CompletionStage<RedisListening> listen(
        Endpoint server, byte[] channel, RedisListening.Events events) {
      assertThat(new String(channel, StandardCharsets.US_ASCII)).isEqualTo("+switch-master");
      heard.add(events);
      return CompletableFuture.completedStage(
          new RedisListening() {
            @Override
            public CompletionStage<?> probe(Duration within) {
              return CompletableFuture.completedStage(true);
            }

            @Override
            public void close() {
              closed.incrementAndGet();
            }
          });
    }

    private void say(String news) {
      heard.forEach(events -> events.message(bytes(news)));
    }

    @Override
    public void close() {}

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
  }
}
