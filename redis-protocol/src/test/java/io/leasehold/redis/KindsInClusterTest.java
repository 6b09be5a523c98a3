package io.leasehold.redis;

import static io.leasehold.redis.Asker.TTL;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.Busy;
import io.leasehold.spi.ExtendReply;
import io.leasehold.spi.Extended;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Listed;
import io.leasehold.spi.LockListing;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.ReleaseReply;
import io.leasehold.spi.Released;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import io.leasehold.testkit.RedisCluster;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.SlotMove;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of lock in a real cluster, also while a slot moves. */
class KindsInClusterTest {
  @SuppressWarnings("NullAway.Init")
  private static RedisCluster cluster;

  private final TestContext context = new TestContext("client");

  @SuppressWarnings("NullAway.Init")
  private RedisLockNode node;

  @BeforeAll
  static void startCluster() {
    cluster = RedisCluster.builder().replicasPerMaster(0).start();
  }

  @AfterAll
  static void stopCluster() {
    cluster.close();
  }

  @BeforeEach
  void open() {
    cluster.masters().forEach(master -> master.command("FLUSHALL"));
    LockUrl url =
        LockUrl.parse(
            "lock:redis-cluster://127.0.0.1:"
                + cluster.nodes().get(0).port()
                + "?guard=off&commandTimeout=10s");
    node =
        (RedisLockNode)
            new NodeOpening("wire", url, RedisServers.of(url), context)
                .open(port -> new WirePort(RedisServers.of(url)));
  }

  @AfterEach
  void close() {
    node.close();
    context.close();
  }

  @Test
  void namesOfOneSlotAreTakenInOneStepAndOthersOneByOne() {
    SeveralLocks several = node.offer(SeveralLocks.class).orElseThrow();
    LockNode together = several.all(List.of("{x}a", "{x}b"));
    LockNode apart = several.all(List.of("a", "b", "c"));
    assertThat(together).isInstanceOf(SetView.class);
    assertThat(apart).isInstanceOf(OrderedLocks.class);
    for (LockNode set : List.of(together, apart)) {
      Asker all = new Asker(set, "all");
      all.granted("o-1");
      assertThat(all.ask("o-2")).isInstanceOf(Busy.class);
      assertThat(all.extend("o-1", TTL)).isInstanceOf(Extended.class);
      assertThat(all.released("o-1")).isTrue();
    }
  }

  @Test
  void locksOfAllMastersAreListed() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      names.add("name-" + i);
      new Asker(node, "name-" + i).granted("owner");
    }
    Listed listed =
        (Listed) Asker.join(node.offer(LockListing.class).orElseThrow().list("name-*", 1_000));
    assertThat(listed.names()).containsExactlyInAnyOrderElementsOf(names);
    assertThat(listed.complete()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whileASlotMovesWhatIsHeldIsExtendedAndGivenBack(boolean moved) {
    ReadWriteLocks rw = node.offer(ReadWriteLocks.class).orElseThrow();
    Asker reader = new Asker(rw.readers(), "{m}1");
    Asker writer = new Asker(rw.writers(), "{m}2");
    Asker permit = new Asker(node.offer(Semaphores.class).orElseThrow().permits(2), "{m}3");
    Asker set =
        new Asker(node.offer(SeveralLocks.class).orElseThrow().all(List.of("{m}4", "{m}5")), "");
    List<Asker> all = List.of(reader, writer, permit, set);
    all.forEach(one -> one.granted("o-1"));
    RedisServer from = cluster.masterOf("m");
    RedisServer to =
        cluster.masters().stream().filter(one -> one != from).findFirst().orElseThrow();
    SlotMove move = cluster.beginMove(cluster.slotOf("m"), to);
    try {
      if (moved) {
        move.moveKeys(
            List.of(
                OnServer.text(LockKeys.of("{m}1", true).get(Key.READERS)),
                OnServer.text(LockKeys.of("{m}2", true).get(Key.WRITER)),
                OnServer.text(LockKeys.of("{m}3", true).get(Key.HOLDERS)),
                "{m}5")); // and the other lock of the set stays
      }
      for (Asker one : all) {
        ExtendReply extended = one.extend("o-1", TTL);
        assertThat(extended).isInstanceOf(Extended.class);
        assertThat(one.ask("o-2"))
            .isInstanceOfSatisfying(
                Failed.class, failed -> assertThat(failed.kind()).isEqualTo(FailureKind.MOVED));
        ReleaseReply released = one.release("o-1");
        assertThat(released).isInstanceOf(Released.class);
      }
      move.moveKeys();
    } finally {
      move.finish();
    }
    all.forEach(one -> one.granted("o-3"));
  }
}
