package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.testkit.RedisVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which locks are held, and who holds them, on a real server. */
@ParameterizedClass
@EnumSource(RedisVersion.class)
class HeldLocksTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final String CLIENT = "0123456789abcdef0123456789abcdef";
  private static final String OWNER = CLIENT + "-1f-0123456789abcdef";

  @Parameter RedisVersion version = RedisVersion.V7_0;

  @SuppressWarnings("NullAway.Init")
  private OnServer on;

  @BeforeEach
  void start() {
    on = new OnServer(version);
  }

  @AfterEach
  void stop() {
    on.close();
  }

  @Test
  void locksThatAreHeldAreListedAndNothingElse() {
    for (String name : List.of("job:1", "job:2", "größe", "other")) {
      on.lock("a", name).granted("owner-" + name);
    }
    on.lock("a", "job:2").released("owner-job:2");
    on.reader("a", "job:3").granted("r-1");
    on.permits("a", "job:4", 1).granted("s-1");
    on.server.command("SET", "job:5", "an application's");
    on.server.command("HSET", "job:6", "an", "application's");
    assertThat(list("*").names()).containsExactlyInAnyOrder("job:1", "größe", "other");
    assertThat(list("job:*").names()).containsExactly("job:1");
    assertThat(list("gr??e").names()).containsExactly("größe");
    assertThat(list("job:[0-1]").names()).containsExactly("job:1");
    assertThat(list("job:[^1]").names()).isEmpty();
    assertThat(list("nothing").complete()).isTrue();
  }

  @Test
  void aListingGoesOnUntilAllHaveBeenSeenOrTheLimitIsReached() {
    for (int i = 0; i < 1_300; i++) {
      on.server.command("SET", "app:" + i, "x");
      if (i % 10 == 0) {
        on.lock("a", "lock:" + i).granted("owner");
      }
    }
    Listed all = list("*");
    assertThat(all.names()).hasSize(130).doesNotHaveDuplicates();
    assertThat(all.complete()).isTrue();
    Listed some = (Listed) Asker.join(listing().list("lock:*", 7));
    assertThat(some.names()).hasSize(7).doesNotHaveDuplicates();
    assertThat(some.complete()).isFalse();
  }

  @Test
  void anInspectionTellsWhichClientHoldsALock() {
    RedisLockNode node = on.open(CLIENT, "");
    new Asker(node, "lock").granted(OWNER);
    Asker looker = on.lock("other", "lock");
    await().atMost(SOON).until(() -> who(looker.inspect()).process() != -1);
    assertThat(who(looker.inspect()).id()).isEqualTo(CLIENT);
    assertThat(who(looker.inspect()).process()).isEqualTo(ProcessHandle.current().pid());
    String card = "leasehold:client:" + CLIENT;
    assertThat((Long) on.server.command("PTTL", card)).isBetween(3_500_000L, 3_600_000L);
    on.reader("other", "rw").granted(OWNER);
    assertThat(who(on.reader("other", "rw").inspect()).id()).isEqualTo(CLIENT);
    node.close();
    assertThat(on.server.command("EXISTS", card)).isEqualTo(0L);
    assertThat(who(looker.inspect()).process()).isEqualTo(-1);
  }

  @Test
  void aClientThatWasGrantedNothingSaysNothing() {
    on.lock("a", "lock").granted("owner");
    RedisLockNode node = on.open(CLIENT, "");
    new Asker(node, "lock").ask(OWNER);
    node.close();
    assertThat(on.keys()).noneMatch(key -> key.contains(CLIENT));
  }

  @Test
  void whatIsNotACardIsNotRead() {
    on.lock("a", "lock").granted(OWNER);
    for (String damaged : List.of("", "x", "process=", "name=%zz&process=1", "process=one")) {
      on.server.command("SET", "leasehold:client:" + CLIENT, damaged);
      assertThat(on.lock("a", "lock").inspect().holder().orElseThrow().client()).isEmpty();
    }
    on.server.command("DEL", "leasehold:client:" + CLIENT);
    on.server.command("HSET", "leasehold:client:" + CLIENT, "a", "b");
    assertThat(on.lock("a", "lock").inspect().holder().orElseThrow().client()).isEmpty();
    ClientInfo info = new ClientInfo(CLIENT, "a&b=c d", "größe", 42);
    assertThat(ClientCard.read(CLIENT, Requests.bytes(ClientCard.text(info)))).contains(info);
  }

  @Test
  void theFenceOfALockThatIsExtendedLivesOn() {
    String fence = OnServer.text(LockKeys.of("lock", false).get(Key.FENCE));
    long token = on.lock("a", "lock").granted("owner");
    on.server.command("PEXPIRE", fence, "5000");
    on.lock("a", "lock").extend("nobody", 10_000);
    assertThat((Long) on.server.command("PTTL", fence)).isLessThan(5_001L);
    on.lock("a", "lock").extend("owner", 10_000);
    assertThat((Long) on.server.command("PTTL", fence)).isBetween(590_000L, 600_000L);
    assertThat(on.lock("a", "lock").inspect().fence()).isEqualTo(token);
    on.server.command("DEL", fence);
    on.lock("a", "lock").extend("owner", 10_000);
    assertThat(on.server.command("EXISTS", fence)).isEqualTo(0L);
    LockKeys keys = LockKeys.of("lock", false);
    assertThat( // while its slot moves
            on.run(
                Script.EXTEND
                    .call(
                        List.of(keys.get(Key.LOCK), keys.get(Key.FORCED), keys.get(Key.FENCE)),
                        600_000,
                        "owner",
                        9_000)
                    .alone()))
        .endsWith("EXTENDED");
    assertThat((Long) on.server.command("PTTL", "lock")).isBetween(8_000L, 9_000L);
  }

  private Listed list(String pattern) {
    return (Listed) Asker.join(listing().list(pattern, 10_000));
  }

  private LockListing listing() {
    return on.client("looker").offer(LockListing.class).orElseThrow();
  }

  private static ClientInfo who(Inspection seen) {
    return seen.holder().orElseThrow().client().orElse(new ClientInfo("", "", "", -1));
  }
}
