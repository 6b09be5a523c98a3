package io.leasehold.tck.toy;

import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import io.leasehold.tck.Faults;
import io.leasehold.tck.Offer;
import io.leasehold.tck.StoredEntries;
import io.leasehold.tck.Subject;
import java.time.Duration;
import java.util.Set;
import java.util.function.Consumer;

/** The toy: a provider, its server, and the subject that they make. */
public final class Toy implements Subject {

  /** What is put around every node; a flaw, or nothing. */
  @FunctionalInterface
  public interface Wrapping {

    /** Puts something around the node of a client. */
    LockNode around(Toy toy, LockNode node, LockUrl url, ProviderContext context);
  }

  /** The host of a server that cannot prove who it is. */
  public static final String IMPOSTOR = "impostor";

  /** The host under which the server permits only what is documented. */
  public static final String RESTRICTED = "restricted";

  /** The host of a server that may drop locks. */
  public static final String EVICTING = "evicting";

  /** The id of the finding about such a server. */
  public static final String MAY_EVICT = "TOY-1";

  /** The id of the finding about clients with longer leases. */
  public static final String LONGER_LEASES = "TOY-2";

  private final String name;
  private final boolean guarded;
  private final Wrapping wrapping;
  private final ToyServer server;
  private final ToyServer replica;
  private final ToyFaults faults;

  /** A toy with something around its nodes, and without a guard. */
  public Toy(String name, Wrapping wrapping) {
    this(name, false, new LineRules(), new CrowdRules(), wrapping);
  }

  private Toy(
      String name, boolean guarded, LineRules rules, CrowdRules crowdRules, Wrapping wrapping) {
    this.name = name;
    this.guarded = guarded;
    this.wrapping = wrapping;
    this.server = new ToyServer(rules, crowdRules);
    this.replica = new ToyServer(rules, crowdRules);
    this.faults = new ToyFaults(server);
  }

  /** A toy whose fair lines have rules, without a guard. */
  public static Toy lined(String name, LineRules rules) {
    return new Toy(name, false, rules, new CrowdRules(), (toy, node, url, context) -> node);
  }

  /** A toy whose locks that several can hold have rules, without a guard. */
  public static Toy crowded(String name, CrowdRules rules) {
    return new Toy(name, false, new LineRules(), rules, (toy, node, url, context) -> node);
  }

  /** A toy with something around its nodes, and with a guard. */
  public static Toy guarded(String name, Wrapping wrapping) {
    return new Toy(name, true, new LineRules(), new CrowdRules(), wrapping);
  }

  /** A toy that is correct. */
  public static Toy flawless(String name) {
    return new Toy(name, (toy, node, url, context) -> node);
  }

  /** Whether its nodes have a guard, unless a URL says otherwise. */
  boolean isGuarded() {
    return guarded;
  }

  /** Its server. */
  public ToyServer server() {
    return server;
  }

  /** Its replica, which knows nothing yet, and tells nobody what it grants. */
  ToyServer replica() {
    return replica;
  }

  /** The state of its server's faults. */
  public ToyFaults state() {
    return faults;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String url() {
    return "lock:toy://server";
  }

  @Override
  public LocksBuilder builder() {
    return Locks.builder().url(url()).providers(LockProviders.of(new Provider()));
  }

  @Override
  public Duration tolerance() {
    return Duration.ofMillis(2_500);
  }

  @Override
  public Offer<Faults> faults() {
    return Offer.of(faults);
  }

  @Override
  public Offer<String> replicaUrl() {
    return Offer.of("lock:toy://replica");
  }

  @Override
  public Offer<String> evictingUrl() {
    return Offer.of("lock:toy://" + EVICTING);
  }

  @Override
  public Offer<String> wrongHostTlsUrl() {
    return Offer.of("lock:toy://" + IMPOSTOR);
  }

  @Override
  public Offer<String> restrictedUrl() {
    return Offer.of("lock:toy://" + RESTRICTED);
  }

  @Override
  public Offer<StoredEntries> storedEntries() {
    return Offer.of(server);
  }

  @Override
  public Offer<Consumer<Duration>> timeMachine() {
    return Offer.of(server::passTime);
  }

  private final class Provider implements LockProvider {

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
      return wrapping.around(Toy.this, new ToyNode(Toy.this, url, context), url, context);
    }
  }
}
