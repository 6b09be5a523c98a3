package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.leasehold.spi.Options;
import io.micronaut.context.BeanContext;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.exceptions.NonUniqueBeanException;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Finds clients by the names that annotations give. */
@Singleton
class LockClients {
  private final BeanContext context;
  private final Map<String, LockClient> found = new ConcurrentHashMap<>();
  private final Map<String, Duration> waits = new ConcurrentHashMap<>();

  LockClients(BeanContext context) {
    this.context = context;
  }

  /**
   * The client.
   *
   * @param name empty for the default one
   * @throws ConfigurationException when there is none
   */
  LockClient get(String name) {
    LockClient client = found.get(name);
    if (client == null) {
      client = find(name).orElseThrow(() -> none(name));
      found.put(name, client);
    }
    return client;
  }

  private Optional<LockClient> find(String name) {
    try {
      return name.isEmpty()
          ? context.findBean(LockClient.class)
          : context.findBean(LockClient.class, Qualifiers.byName(name));
    } catch (NonUniqueBeanException e) {
      throw new ConfigurationException(
          "There are several lock clients, and none is the default: name one (client = …), or"
              + " configure leasehold.url or leasehold.clients.default.url",
          e);
    }
  }

  /**
   * How long a client's locks are waited for when nothing else is said. A client cannot be asked:
   * it is what the configuration says, and the usual time for a client that is not from there.
   */
  Duration waitTime(String name) {
    return waits.computeIfAbsent(name, this::configuredWait);
  }

  private Duration configuredWait(String name) {
    String wanted = name.isEmpty() ? DefaultLockClientConfiguration.NAME : name;
    Collection<LockClientConfiguration> all = context.getBeansOfType(LockClientConfiguration.class);
    boolean only = name.isEmpty() && context.getBeansOfType(LockClient.class).size() == 1;
    return all.stream()
        .filter(each -> only || each.name().equals(wanted))
        .findFirst()
        .map(LockClientConfiguration::waitTime)
        .or(Options.WAIT_TIME::defaultValue)
        .orElseThrow();
  }

  private static ConfigurationException none(String name) {
    String property = name.isEmpty() ? "leasehold.url" : "leasehold.clients." + name + ".url";
    return new ConfigurationException(
        "There is no lock client"
            + (name.isEmpty() ? "" : " '" + name + "'")
            + ": configure "
            + property
            + ", a URL such as lock:redis://localhost:6379");
  }
}
