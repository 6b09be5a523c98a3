package io.leasehold.provider.redlock;

import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.HostAndPort;
import io.leasehold.spi.InvalidConfigurationException;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockProvider;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.OptionKey;
import io.leasehold.spi.Options;
import io.leasehold.spi.ProviderContext;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Serves {@code lock:redlock:[delegate:]scheme://a,b,c}: a quorum of independent servers, each
 * behind a node of the provider that takes the scheme. A minority of them may be down, also when
 * the client is opened; they join when they answer.
 */
public final class RedlockProvider implements LockProvider {
  static final String NAME = "redlock";

  private static final int LEAST_NODES = 3;

  /** For the service loader. */
  public RedlockProvider() {}

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<String> schemes() {
    return Set.of();
  }

  @Override
  public Set<OptionKey<?>> options() {
    return Set.of(Options.NODE_TIMEOUT, Options.CONNECT, Options.CONNECT_TIMEOUT);
  }

  @Override
  public boolean onlyByName() {
    return true;
  }

  @Override
  public LockNode open(LockUrl url, ProviderContext context) {
    checkNodes(url);
    QuorumTimes times = QuorumTimes.of(url);
    List<LockNode> nodes = new ArrayList<>();
    QuorumNode quorum;
    try {
      for (HostAndPort host : url.hosts()) {
        nodes.add(context.openDelegate(delegateUrl(url, host, context)));
      }
      quorum = new QuorumNode(nodes, Members.majorityOf(nodes.size()), times, context);
    } catch (RuntimeException | Error e) {
      nodes.forEach(node -> QuorumNode.closeQuietly(node));
      throw e;
    }
    try {
      quorum.connect(url.get(Options.CONNECT) == Options.Connect.LAZY);
      return quorum;
    } catch (RuntimeException | Error e) {
      quorum.close();
      throw e;
    }
  }

  private static void checkNodes(LockUrl url) {
    if (url.scheme().endsWith("-sentinel") || url.scheme().endsWith("-cluster")) {
      throw unsound(
          "scheme",
          "Redlock needs servers that know nothing of each other; "
              + url.scheme()
              + ":// is several servers that copy each other. Use it without redlock, or list"
              + " independent servers");
    }
    if (url.get(Options.LAYOUT) != Options.Layout.DISTLOCK) {
      throw new InvalidConfigurationException(
          ErrorCode.UNSUPPORTED,
          Options.LAYOUT.name(),
          "Redlock needs layout=distlock: a quorum agrees on fencing tokens, and other layouts have"
              + " none. Leave the option out, or 'redlock:'");
    }
    if (url.hosts().size() < LEAST_NODES) {
      throw unsound(
          "host",
          "Redlock needs at least three servers, and better five: with fewer, the loss of one is"
              + " the loss of all. The URL has "
              + url.hosts().size()
              + ". For one server leave 'redlock:' out");
    }
    if (new HashSet<>(url.hosts()).size() < url.hosts().size()) {
      throw unsound("host", "A server is named twice in " + url + "; it would vote twice");
    }
  }

  /** A node connects in the background, and has its guard on unless the URL says otherwise. */
  private static LockUrl delegateUrl(LockUrl url, HostAndPort host, ProviderContext context) {
    LockUrl target = url.forDelegate(host).without(Options.NODE_TIMEOUT.name());
    LockProvider delegate =
        context
            .providers()
            .select(target.without(Options.CONNECT.name()).without(Options.CONNECT_TIMEOUT.name()));
    Set<OptionKey<?>> understood = delegate.options();
    if (understood.contains(Options.CONNECT)) {
      target = target.with(Options.CONNECT.name(), "lazy");
    } else {
      target = target.without(Options.CONNECT.name());
    }
    if (!understood.contains(Options.CONNECT_TIMEOUT)) {
      target = target.without(Options.CONNECT_TIMEOUT.name());
    }
    return understood.contains(Options.GUARD) && target.given(Options.GUARD).isEmpty()
        ? target.with(Options.GUARD.name(), "on")
        : target;
  }

  static InvalidConfigurationException unsound(String key, String message) {
    return new InvalidConfigurationException(ErrorCode.BAD_QUORUM, key, message);
  }
}
