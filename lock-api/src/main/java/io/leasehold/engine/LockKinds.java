package io.leasehold.engine;

import io.leasehold.DistributedLock;
import io.leasehold.DistributedReadWriteLock;
import io.leasehold.DistributedSemaphore;
import io.leasehold.LockCapabilityException;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockOptions;
import io.leasehold.engine.Facet.Kind;
import io.leasehold.spi.Capability;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.OrderedLocks;
import io.leasehold.spi.ReadWriteLocks;
import io.leasehold.spi.Refusals;
import io.leasehold.spi.Semaphores;
import io.leasehold.spi.SeveralLocks;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;

/** Makes the locks of a client, of each kind, and refuses what its node does not offer. */
final class LockKinds {
  // Under these a client keeps who waits for, and holds, locks that are not plain ones. No name of
  // a plain lock begins like that.
  private static final String READ = "leasehold:read:";
  private static final String WRITE = "leasehold:write:";
  private static final String PERMITS = "leasehold:permits:";
  private static final String ALL = "leasehold:all:";

  private final Engine engine;

  /**
   * Where a node does not offer several at once. One for all: they share what they are woken for.
   */
  private final SeveralLocks oneByOne;

  LockKinds(Engine engine) {
    this.engine = engine;
    this.oneByOne = OrderedLocks.of(engine.node);
  }

  static boolean offersFairLocks(LockNode node) {
    return node.capabilities().contains(Capability.FAIRNESS);
  }

  static String noFairLocks(LockNode node) {
    return without(node, "fair locks", Capability.FAIRNESS);
  }

  /** What a node does not offer, and its reason if it tells one. */
  private static String without(LockNode node, String what, Capability capability) {
    return node.label() + " does not offer " + what + whyNot(node, capability);
  }

  /** The node's reason for doing without a capability, to be appended; empty when it tells none. */
  static String whyNot(LockNode node, Capability capability) {
    return node.offer(Refusals.class)
        .flatMap(refusals -> refusals.whyNot(capability))
        .map(reason -> ": " + reason)
        .orElse("");
  }

  EngineLock lock(String name, LockOptions options) {
    String fullName = fullName(name);
    Terms terms = engine.settings.resolve(options);
    if (terms.fair() && !offersFairLocks(engine.direct)) {
      throw new LockConfigurationException(
          ErrorCode.UNSUPPORTED, "fair", noFairLocks(engine.direct));
    }
    return new EngineLock(engine, name, fullName, fullName, terms, engine.plain);
  }

  DistributedReadWriteLock readWriteLock(String name, LockOptions options) {
    String fullName = fullName(name);
    Terms terms = terms(options, "A read-write lock");
    Facet readers =
        facet(Kind.READERS, ReadWriteLocks.class, Capability.READ_WRITE, ReadWriteLocks::readers);
    Facet writers =
        facet(Kind.WRITERS, ReadWriteLocks.class, Capability.READ_WRITE, ReadWriteLocks::writers);
    return new EngineReadWriteLock(
        new EngineLock(engine, name, fullName, READ + fullName, terms, readers),
        new EngineLock(engine, name, fullName, WRITE + fullName, terms, writers));
  }

  DistributedSemaphore semaphore(String name, int permits, LockOptions options) {
    String fullName = fullName(name);
    if (permits < 1 || permits > Semaphores.MOST_PERMITS) {
      throw new LockConfigurationException(
          ErrorCode.BAD_VALUE,
          "permits",
          "A semaphore has from 1 to " + Semaphores.MOST_PERMITS + " permits, not " + permits);
    }
    Terms terms = terms(options, "A semaphore");
    Facet facet =
        facet(
            Kind.PERMITS,
            Semaphores.class,
            Capability.SEMAPHORES,
            offered -> offered.permits(permits));
    String key = PERMITS + permits + ':' + fullName;
    return new EngineSemaphore(new EngineLock(engine, name, fullName, key, terms, facet), permits);
  }

  DistributedLock all(Collection<String> names, LockOptions options) {
    TreeMap<String, String> byFullName = new TreeMap<>();
    names.forEach(name -> byFullName.put(fullName(name), name));
    if (byFullName.isEmpty() || byFullName.size() > SeveralLocks.MOST_LOCKS) {
      throw new LockConfigurationException(
          ErrorCode.BAD_NAME,
          "names",
          "From 1 to "
              + SeveralLocks.MOST_LOCKS
              + " locks can be taken at once, not "
              + byFullName.size());
    }
    if (byFullName.size() == 1) {
      return lock(byFullName.firstEntry().getValue(), options);
    }
    List<String> fullNames = List.copyOf(byFullName.keySet());
    Terms terms = terms(options, "Several locks at once");
    Facet facet =
        engine.plain.of(
            Kind.SEVERAL,
            node ->
                node.offer(SeveralLocks.class)
                    .map(offered -> offered.all(fullNames))
                    .orElseGet(() -> oneByOne.all(fullNames)));
    return new EngineLock(
        engine,
        String.join(", ", byFullName.values()),
        String.join(", ", fullNames),
        key(fullNames),
        terms,
        facet);
  }

  /** Tells sets apart whose names contain whatever separates names. */
  private static String key(List<String> fullNames) {
    StringBuilder key = new StringBuilder(ALL);
    fullNames.forEach(name -> key.append(name.length()).append(':').append(name));
    return key.toString();
  }

  /** {@code fair} in a URL is about plain locks; who asks for it here is told. */
  private Terms terms(LockOptions options, String what) {
    if (options.fair().orElse(false)) {
      throw new LockConfigurationException(
          ErrorCode.UNSUPPORTED, "fair", what + " cannot be fair: only plain locks can");
    }
    return engine.settings.resolve(options.withoutFair());
  }

  private String fullName(String name) {
    return LockNames.full(engine.settings.prefix(), name);
  }

  private <C> Facet facet(
      Kind kind, Class<C> offered, Capability capability, Function<C, LockNode> view) {
    String what = capability == Capability.SEMAPHORES ? "semaphores" : "read-write locks";
    return engine.plain.of(
        kind,
        node ->
            node.offer(offered)
                .map(view)
                .orElseThrow(() -> new LockCapabilityException(without(node, what, capability))));
  }
}
