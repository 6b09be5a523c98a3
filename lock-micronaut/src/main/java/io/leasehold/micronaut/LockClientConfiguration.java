package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.leasehold.LockConfigurationException;
import io.leasehold.LockListener;
import io.leasehold.Locks;
import io.leasehold.LocksBuilder;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.core.naming.NameUtils;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the configuration says about one client. Its URL may hold a password: it is never told. */
abstract class LockClientConfiguration {
  private final String name;
  private final String prefix;
  private @Nullable String url;
  private final Map<String, String> options = new LinkedHashMap<>();

  /**
   * @param name the client's name
   * @param prefix of its properties
   */
  LockClientConfiguration(String name, String prefix) {
    this.name = name;
    this.prefix = prefix;
  }

  final String name() {
    return name;
  }

  final void url(@Nullable String value) {
    url = value;
  }

  /** Micronaut hyphenates the keys of maps; options are in camel case. */
  final void options(Map<String, String> values) {
    options.clear();
    values.forEach((key, value) -> options.put(camelCase(key), value));
  }

  private static String camelCase(String key) {
    int dot = key.lastIndexOf('.') + 1;
    return key.substring(0, dot) + NameUtils.camelCase(key.substring(dot));
  }

  /**
   * Opens the client.
   *
   * @throws ConfigurationException that names the property, when something is wrong with it
   */
  final LockClient open(List<LockListener> listeners, List<LocksBuilderCustomizer> customizers) {
    LocksBuilder builder = Locks.builder();
    if (url != null && !url.isBlank()) {
      builder.url(url);
    } else if (customizers.isEmpty()) {
      throw new ConfigurationException(
          "The lock client '" + name + "' needs " + prefix + ".url, a URL such as lock:redis://…");
    }
    options.forEach(builder::option);
    listeners.forEach(builder::listener);
    customizers.forEach(each -> each.customize(name, builder));
    try {
      return builder.open();
    } catch (LockConfigurationException e) {
      throw new ConfigurationException(
          "The lock client '"
              + name
              + "' cannot be opened; look at "
              + property(e.key())
              + ": "
              + e.getMessage(),
          e);
    }
  }

  private String property(String key) {
    return options.containsKey(key)
        ? prefix + ".options." + NameUtils.hyphenate(key)
        : prefix + ".url";
  }

  /** How long this client's locks are waited for; as far as the configuration says it. */
  final Duration waitTime() {
    LockUrl target = LockUrl.parse(url == null || url.isBlank() ? "lock:given://given" : url);
    String wait = options.get(Options.WAIT_TIME.name());
    return (wait == null ? target : target.with(Options.WAIT_TIME.name(), wait))
        .get(Options.WAIT_TIME);
  }

  @Override
  public final String toString() {
    return "LockClientConfiguration[" + name + "]";
  }
}
