package io.leasehold.tck.toy;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Identity;
import io.leasehold.spi.IdentityReply;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.NodeUnavailableException;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.Quorum;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.Subject;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Five toy servers, a provider that makes a quorum of them, and the subject that they make. */
public final class ToyQuorum implements Subject, Quorum {
  private static final int SIZE = 5;
  private static final String REPLICA = "replica";

  private final String name;
  private final QuorumRules rules;
  private final Map<String, Toy> toys = new LinkedHashMap<>();
  private final List<Toy> nodes;

  private ToyQuorum(String name, QuorumRules rules, boolean guarded) {
    this.name = name;
    this.rules = rules;
    for (String host : List.of("node-0", "node-1", "node-2", "node-3", "node-4", REPLICA)) {
      Toy.Wrapping nothing = (toy, node, url, context) -> node;
      toys.put(host, guarded ? Toy.guarded(host, nothing) : new Toy(host, nothing));
    }
    this.nodes = toys.values().stream().limit(SIZE).toList();
  }

  /** A quorum by these rules, of servers without a guard. */
  public static ToyQuorum of(String name, QuorumRules rules) {
    return new ToyQuorum(name, rules, false);
  }

  /** A correct quorum of servers with a guard. */
  public static ToyQuorum guarded(String name) {
    return new ToyQuorum(name, new QuorumRules(), true);
  }

  @Override
  public String name() {
    return name;
  }

  private static String url(String hosts) {
    return "lock:toyquorum:toy:toy://" + hosts;
  }

  @Override
  public String url() {
    return url(
        IntStream.range(0, SIZE)
            .mapToObj(i -> "node-" + i + ":1")
            .collect(Collectors.joining(",")));
  }

  @Override
  public LocksBuilder builder() {
    return Locks.builder()
        .url(url())
        .providers(LockProviders.of(new QuorumProvider(), new NodeProvider()));
  }

  @Override
  public Duration tolerance() {
    return Duration.ofMillis(2_500);
  }

  @Override
  public Offer<Quorum> quorum() {
    return Offer.of(this);
  }

  @Override
  public int size() {
    return SIZE;
  }

  @Override
  public String nodeUrl(int node) {
    return "lock:toy:toy://node-" + node + ":1?guard=off";
  }

  @Override
  public NodeFaults node(int node) {
    return nodes.get(node).state();
  }

  @Override
  public String sameServerTwiceUrl() {
    return url("node-0:1,node-1:1,node-2:1,node-3:1,node-1:2");
  }

  @Override
  public Offer<String> replicaUrl() {
    return Offer.of(url("node-0:1,node-1:1,node-2:1,node-3:1," + REPLICA + ":1"));
  }

  @Override
  public Offer<StoredEntries> storedEntries() {
    return Offer.of(text -> nodes.stream().mapToLong(toy -> toy.server().count(text)).sum());
  }

  @Override
  public Offer<Consumer<Duration>> timeMachine() {
    return Offer.of(span -> nodes.forEach(toy -> toy.server().passTime(span)));
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(
        new Faults() {
          @Override
          public void kill() {
            nodes.forEach(toy -> toy.state().kill());
          }

          @Override
          public void restart() {
            nodes.forEach(toy -> toy.state().restart());
          }

          @Override
          public void pause() {
            nodes.forEach(toy -> toy.state().pause());
          }

          @Override
          public void resume() {
            nodes.forEach(toy -> toy.state().resume());
          }

          @Override
          public void cut() {
            nodes.forEach(toy -> toy.state().cut());
          }

          @Override
          public void loseState() {
            nodes.forEach(toy -> toy.state().loseState());
          }

          @Override
          public Offer<Runnable> scriptLoss() {
            return Offer.of(() -> nodes.forEach(toy -> toy.state().scriptLoss().get().run()));
          }
        });
  }

  /** Opens one server. */
  private final class NodeProvider implements LockProvider {

    @Override
    public String name() {
      return "toy";
    }

    @Override
    public Set<String> schemes() {
      return Set.of("toy");
    }

    @Override
    public Set<OptionKey<?>> options() {
      return Set.of(Options.FENCE_RETENTION, Options.GUARD);
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      Toy toy = Objects.requireNonNull(toys.get(url.hosts().get(0).host()));
      return new ToyNode(toy, url, context);
    }
  }

  /** Opens a quorum of them. */
  private final class QuorumProvider implements LockProvider {

    @Override
    public String name() {
      return "toyquorum";
    }

    @Override
    public Set<String> schemes() {
      return Set.of();
    }

    @Override
    public Set<OptionKey<?>> options() {
      return Set.of();
    }

    @Override
    public boolean onlyByName() {
      return true;
    }

    @Override
    public LockNode open(LockUrl url, ProviderContext context) {
      List<LockNode> members =
          url.hosts().stream().map(host -> context.openDelegate(url.forDelegate(host))).toList();
      long timeout = url.get(Options.COMMAND_TIMEOUT).toNanos();
      ToyQuorumNode node = new ToyQuorumNode(members, rules, context, timeout);
      try {
        examine(node);
      } catch (InvalidConfigurationException | NodeUnavailableException e) {
        node.close();
        throw e;
      }
      return node;
    }

    private void examine(ToyQuorumNode node) {
      List<CompletionStage<IdentityReply>> asked =
          node.members().stream()
              .map(member -> node.bounded(member.identity(), failed -> failed))
              .toList();
      Set<String> known = new HashSet<>();
      for (int i = 0; i < asked.size(); i++) {
        String label = node.members().get(i).label();
        if (asked.get(i).toCompletableFuture().join() instanceof Identity who) {
          if (!known.add(who.serverId()) && rules.refusesTwins()) {
            throw new InvalidConfigurationException(
                ErrorCode.BAD_QUORUM, "hosts", label + " is a server under another address");
          }
          if (who.role() == Identity.Role.REPLICA) {
            throw new NodeUnavailableException(
                label, new Failed(FailureKind.READ_ONLY, "it is a replica"));
          }
        }
      }
    }
  }
}
