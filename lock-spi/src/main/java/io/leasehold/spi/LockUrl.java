package io.leasehold.spi;

import java.util.Collections;
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

  LockUrl(
      Optional<String> provider,
      Optional<String> delegate,
      String scheme,
      Optional<String> user,
      Optional<Secret> password,
      List<HostAndPort> hosts,
      OptionalInt database,
      Map<String, String> options) {
    this.provider = provider;
    this.delegate = delegate;
    this.scheme = scheme;
    this.user = user;
    this.password = password;
    this.hosts = List.copyOf(hosts);
    this.database = database;
    this.options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
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
    if (key.indexOf('.') < 0) {
      Options.required(key).parse(value);
    }
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.put(key, value);
    return new LockUrl(provider, delegate, scheme, user, password, hosts, database, changed);
  }

  /** The URL of one node of a provider made of others: one host, the rest as it is. */
  public LockUrl forDelegate(HostAndPort host) {
    return new LockUrl(
        delegate, Optional.empty(), scheme, user, password, List.of(host), database, options);
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
        && options.equals(url.options);
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
