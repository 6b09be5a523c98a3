package io.leasehold.ctl.doctor;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.doctor.Facts.Unreached;
import io.leasehold.ctl.doctor.Terms.Topology;
import io.leasehold.redis.Endpoint;
import io.leasehold.redis.RedisLockProvider;
import io.leasehold.redis.RedisProbe;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockProviders;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Asks all servers of a URL, and puts together what was found. */
final class Examination implements AutoCloseable {
  /** A server that is slower than clients bear is to be told apart from one that is dead. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LockProviders providers;
  private final Terms terms;
  private final List<RedisProbe> probes = new ArrayList<>();
  private final List<Section> sections = new ArrayList<>();
  private final Map<Endpoint, Facts> known = new LinkedHashMap<>();

  private Examination(LockProviders providers, Terms terms) {
    this.providers = providers;
    this.terms = terms;
  }

  /**
   * Examines the servers of a URL.
   *
   * @throws CommandFailure when they are none of Redis
   */
  static Report of(LockUrl url, LockProviders providers) {
    LockProvider provider = providers.select(url);
    try (Examination examination =
        new Examination(providers, new Terms(topology(url, provider), url))) {
      switch (examination.terms.topology()) {
        case QUORUM -> examination.quorum();
        case SENTINEL -> examination.sentinels();
        case CLUSTER -> examination.cluster();
        case STANDALONE -> examination.standalone();
      }
      return new Report(List.copyOf(examination.sections));
    }
  }

  private static Topology topology(LockUrl url, LockProvider provider) {
    if (provider.onlyByName()) {
      return Topology.QUORUM;
    }
    if (url.scheme().endsWith("-sentinel")) {
      return Topology.SENTINEL;
    }
    return url.scheme().endsWith("-cluster") ? Topology.CLUSTER : Topology.STANDALONE;
  }

  private void standalone() {
    RedisProbe probe = probe(terms.url());
    Endpoint server = probe.servers().endpoints().get(0);
    if (meet(probe, server)) {
      primary(probe, server);
    }
  }

  private void quorum() {
    Map<Endpoint, RedisProbe> each = new LinkedHashMap<>();
    for (HostAndPort host : terms.url().hosts()) {
      LockUrl url = terms.url().forDelegate(host).without(Options.NODE_TIMEOUT.name());
      RedisProbe probe = probe(url.with(Options.GUARD.name(), terms.guarded() ? "on" : "off"));
      each.put(probe.servers().endpoints().get(0), probe);
    }
    each.entrySet().removeIf(entry -> !meet(entry.getValue(), entry.getKey()));
    each.forEach((server, probe) -> primary(probe, server));
    if (!each.isEmpty()) {
      sections.add(
          new Section(
              "all of them",
              "a quorum of independent servers",
              TogetherChecks.ofQuorum(terms, List.copyOf(known.values()))));
    }
  }

  private void sentinels() {
    RedisProbe probe = probe(terms.url());
    SentinelChecks sentinels = SentinelChecks.of(probe, terms.url());
    Section watching =
        new Section("the sentinels", "of " + probe.servers().masterName(), sentinels.findings());
    sections.add(watching);
    if (sentinels.primary().isEmpty()) {
      return;
    }
    Endpoint primary = sentinels.primary().get();
    List<Endpoint> replicas = List.of();
    if (meet(probe, primary)) {
      replicas =
          facts(primary).info().replicas().stream()
              .map(replica -> Endpoint.data(replica.text("ip"), (int) replica.number("port")))
              .toList();
    }
    shard(probe, primary, replicas);
    together("the servers", "a primary and its replicas");
  }

  private void cluster() {
    RedisProbe probe = probe(terms.url());
    ClusterChecks cluster = ClusterChecks.of(probe);
    sections.add(new Section("the cluster", "as one of its nodes sees it", cluster.findings()));
    cluster.shards().keySet().forEach(primary -> meet(probe, primary));
    for (Map.Entry<Endpoint, Set<Endpoint>> shard : cluster.shards().entrySet()) {
      shard(probe, shard.getKey(), List.copyOf(shard.getValue()));
    }
    if (!cluster.shards().isEmpty()) {
      together("the nodes", "of the cluster");
    }
  }

  private void together(String about, String title) {
    List<Facts> all = List.copyOf(known.values());
    sections.add(new Section(about, title, List.of(TogetherChecks.clocks(all, terms, all.size()))));
  }

  /** A primary with its replicas; those that were not asked yet are. */
  private void shard(RedisProbe probe, Endpoint primary, List<Endpoint> replicas) {
    replicas.forEach(replica -> meet(probe, replica));
    if (known.containsKey(primary)) {
      primary(probe, primary);
    }
    for (Endpoint replica : replicas) {
      if (known.containsKey(replica)) {
        Facts facts = facts(replica);
        List<Finding> findings = new ArrayList<>(ServerChecks.of(facts, terms));
        findings.addAll(ReplicaChecks.ofReplica(facts, terms, replicas.size()));
        findings.add(TransportChecks.of(replica, probe.settings(), terms.url()));
        sections.add(new Section(replica.toString(), facts.title(), findings));
      }
    }
  }

  private void primary(RedisProbe probe, Endpoint server) {
    Facts facts = facts(server);
    List<Finding> findings = new ArrayList<>();
    findings.add(ServerChecks.role(facts));
    findings.addAll(ServerChecks.of(facts, terms));
    findings.addAll(ReplicaChecks.ofPrimary(facts, terms));
    findings.addAll(GuardChecks.of(probe, facts, terms, List.copyOf(known.values())));
    findings.add(TransportChecks.of(server, probe.settings(), terms.url()));
    sections.add(new Section(server.toString(), facts.title(), findings));
  }

  /** Asks a server; one that cannot be asked has a section that says so. */
  private boolean meet(RedisProbe probe, Endpoint server) {
    try {
      known.put(server, Facts.of(probe, server, terms));
      return true;
    } catch (Unreached e) {
      sections.add(new Section(server.toString(), "not asked", List.of(e.finding())));
      return false;
    }
  }

  private Facts facts(Endpoint server) {
    return Objects.requireNonNull(known.get(server));
  }

  private RedisProbe probe(LockUrl url) {
    if (!(providers.select(url) instanceof RedisLockProvider provider)) {
      throw new CommandFailure(
          ExitCodes.USAGE, "Only servers of Redis can be examined, not " + url.scheme() + "://");
    }
    LockUrl patient = atLeast(Options.COMMAND_TIMEOUT, atLeast(Options.CONNECT_TIMEOUT, url));
    RedisProbe probe = provider.probe(patient);
    probes.add(probe);
    return probe;
  }

  private static LockUrl atLeast(OptionKey<Duration> option, LockUrl url) {
    return url.get(option).compareTo(PATIENCE) < 0
        ? url.with(option.name(), PATIENCE.toSeconds() + "s")
        : url;
  }

  @Override
  public void close() {
    probes.forEach(RedisProbe::close);
  }
}
