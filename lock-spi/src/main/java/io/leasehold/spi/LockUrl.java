package io.leasehold.spi;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Where locks are kept, and how.
 *
 * <pre>
 * lock:[provider:[delegate:]]scheme://[user:password@]host[:port]{,host[:port]}[/db][?key=value{&amp;key=value}]
 * </pre>
 *
 * Reserved characters in user, password and values are percent-encoded. Parsing is strict: an
 * unknown or repeated key, or a value that its key cannot have, is an error. Keys with a dot belong
 * to the provider named before it, and are checked when that provider has been selected.
 *
 * <p>Immutable. {@link #toString()}, and every message about a URL, is without secrets.
 */
public final class LockUrl {
  private final Optional<String> provider;
  private final Optional<String> delegate;
  private final String scheme;
  private final Optional<String> user;
  private final Optional<Secret> password;
  private final List<HostAndPort> hosts;
  private final OptionalInt database;
  private final Map<String, String> options;
  private final Map<HostAndPort, NodeSettings> nodes;

  /** What one node of a provider made of others has of its own. */
  private record NodeSettings(
      Optional<String> user, Optional<Secret> password, Map<String, String> options) {

    static final NodeSettings NONE = new NodeSettings(Optional.empty(), Optional.empty(), Map.of());
  }

  LockUrl(
      Optional<String> provider,
      Optional<String> delegate,
      String scheme,
      Optional<String> user,
      Optional<Secret> password,
      List<HostAndPort> hosts,
      OptionalInt database,
      Map<String, String> options) {
    this(provider, delegate, scheme, user, password, hosts, database, options, Map.of());
  }

  private LockUrl(
      Optional<String> provider,
      Optional<String> delegate,
      String scheme,
      Optional<String> user,
      Optional<Secret> password,
      List<HostAndPort> hosts,
      OptionalInt database,
      Map<String, String> options,
      Map<HostAndPort, NodeSettings> nodes) {
    this.provider = provider;
    this.delegate = delegate;
    this.scheme = scheme;
    this.user = user;
    this.password = password;
    this.hosts = List.copyOf(hosts);
    this.database = database;
    this.options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    this.nodes = Map.copyOf(nodes);
  }

  /**
   * Reads a URL.
   *
   * @throws InvalidConfigurationException when it is not one; the message has no secret in it
   */
  public static LockUrl parse(String text) {
    return new LockUrlParser(text).parse();
  }

  /** The provider that the URL names. */
  public Optional<String> provider() {
    return provider;
  }

  /** The provider that the URL names for the nodes of a provider made of others. */
  public Optional<String> delegate() {
    return delegate;
  }

  /** The scheme, in lower case. */
  public String scheme() {
    return scheme;
  }

  /** The user to log in as. */
  public Optional<String> user() {
    return user;
  }

  /** The password to log in with. */
  public Optional<Secret> password() {
    return password;
  }

  /** The hosts, at least one, in the order of the URL. */
  public List<HostAndPort> hosts() {
    return hosts;
  }

  /** The number of the database. */
  public OptionalInt database() {
    return database;
  }

  /** The names of the options that the URL gives, in its order. */
  public Set<String> optionNames() {
    return options.keySet();
  }

  /** The value that the URL gives for an option. */
  public <T> Optional<T> given(OptionKey<T> key) {
    return Optional.ofNullable(options.get(key.name())).map(key::parse);
  }

  /** The value of an option: the URL's or, where it is silent, the key's default. */
  public <T> T get(OptionKey<T> key) {
    return given(key)
        .or(key::defaultValue)
        .orElseThrow(
            () -> new IllegalArgumentException("the option " + key + " has no default: use given"));
  }

  /**
   * The same URL with one option more, or with another value for it.
   *
   * @throws InvalidConfigurationException when no key has that name, or it cannot have that value
   */
  public LockUrl with(String key, String value) {
    check(key, value);
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.put(key, value);
    return changed(changed, nodes);
  }

  /** The same URL without an option: its default holds. */
  public LockUrl without(String key) {
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.remove(key);
    return changed(changed, nodes);
  }

  /**
   * The same URL with a login of its own for one node of a provider made of others.
   *
   * @param node a host of this URL, as it stands there
   * @throws InvalidConfigurationException when the URL has no such host
   */
  public LockUrl withNodeLogin(HostAndPort node, Optional<String> user, Secret secret) {
    NodeSettings now = settingsOf(node);
    return withNode(node, new NodeSettings(user, Optional.of(secret), now.options));
  }

  /**
   * The same URL with a value of its own for an option of one node of a provider made of others.
   *
   * @param node a host of this URL, as it stands there
   * @throws InvalidConfigurationException when the URL has no such host, or the option cannot have
   *     that value, or concerns all nodes together
   */
  public LockUrl withNodeOption(HostAndPort node, String key, String value) {
    check(key, value);
    if (Options.ENGINE.stream().anyMatch(common -> common.name().equals(key))) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE, key, "The option '" + key + "' is for all nodes together");
    }
    NodeSettings now = settingsOf(node);
    Map<String, String> changed = new LinkedHashMap<>(now.options);
    changed.put(key, value);
    return withNode(node, new NodeSettings(now.user, now.password, changed));
  }

  /** Whether a node has something of its own. */
  boolean hasNodeSettings() {
    return !nodes.isEmpty();
  }

  private NodeSettings settingsOf(HostAndPort node) {
    if (!hosts.contains(node)) {
      throw new InvalidConfigurationException(
          ErrorCode.BAD_VALUE,
          "node",
          "The URL has no node " + node + "; write it as it stands there, one of " + hosts);
    }
    return nodes.getOrDefault(node, NodeSettings.NONE);
  }

  private LockUrl withNode(HostAndPort node, NodeSettings settings) {
    Map<HostAndPort, NodeSettings> changed = new HashMap<>(nodes);
    changed.put(node, settings);
    return changed(options, changed);
  }

  private LockUrl changed(
      Map<String, String> withOptions, Map<HostAndPort, NodeSettings> withNodes) {
    return new LockUrl(
        provider, delegate, scheme, user, password, hosts, database, withOptions, withNodes);
  }

  private static void check(String key, String value) {
    if (key.indexOf('.') < 0) {
      Options.required(key).parse(value);
    }
  }

  /**
   * The URL of one node of a provider made of others: one host, what that node has of its own, the
   * rest as it is.
   */
  public LockUrl forDelegate(HostAndPort host) {
    NodeSettings own = nodes.getOrDefault(host, NodeSettings.NONE);
    Map<String, String> merged = new LinkedHashMap<>(options);
    merged.putAll(own.options);
    boolean login = own.password.isPresent();
    return new LockUrl(
        delegate,
        Optional.empty(),
        scheme,
        login ? own.user : user,
        login ? own.password : password,
        List.of(host),
        database,
        merged);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LockUrl url
        && provider.equals(url.provider)
        && delegate.equals(url.delegate)
        && scheme.equals(url.scheme)
        && user.equals(url.user)
        && password.equals(url.password)
        && hosts.equals(url.hosts)
        && database.equals(url.database)
        && options.equals(url.options)
        && nodes.equals(url.nodes);
  }

  @Override
  public int hashCode() {
    return scheme.hashCode() * 31 + hosts.hashCode();
  }

  /** The URL for a person: without user, password and the values of a provider's own options. */
  @Override
  public String toString() {
    StringBuilder shown = new StringBuilder("lock:");
    provider.ifPresent(name -> shown.append(name).append(':'));
    delegate.ifPresent(name -> shown.append(name).append(':'));
    shown.append(scheme).append("://");
    if (user.isPresent() || password.isPresent()) {
      shown.append("***@");
    }
    for (int i = 0; i < hosts.size(); i++) {
      shown.append(i == 0 ? "" : ",").append(hosts.get(i));
    }
    database.ifPresent(number -> shown.append('/').append(number));
    char separator = '?';
    for (Map.Entry<String, String> option : options.entrySet()) {
      boolean common = Options.byName(option.getKey()).isPresent();
      shown.append(separator).append(option.getKey()).append('=');
      shown.append(common ? option.getValue() : "***");
      separator = '&';
    }
    return shown.toString();
  }
}
