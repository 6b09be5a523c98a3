package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Context;
import io.micronaut.context.annotation.EachBean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Primary;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.Environment;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Named;
import java.util.List;

/**
 * The clients of the configuration: opened when the application starts, so that a mistake shows
 * then, and closed with it, after the beans that use them.
 *
 * <p>Micronaut does not know that a bean with locked methods needs a client: interceptors are not
 * among what it counts. But it destroys those beans last that need the fewest others, so a client
 * needs its configuration only; whatever else is needed is given to this factory.
 */
@Factory
class LockClientFactory {
  private final List<LockListener> listeners;
  private final List<LocksBuilderCustomizer> customizers;
  private final Environment environment;

  LockClientFactory(
      List<LockListener> listeners,
      List<LocksBuilderCustomizer> customizers,
      Environment environment) {
    this.listeners = listeners;
    this.customizers = customizers;
    this.environment = environment;
  }

  @Context
  @Primary
  @Named(DefaultLockClientConfiguration.NAME)
  @Bean(preDestroy = "close")
  @Requires(beans = DefaultLockClientConfiguration.class)
  LockClient theDefault(DefaultLockClientConfiguration configuration) {
    String other = NamedLockClientConfiguration.PREFIX + "." + DefaultLockClientConfiguration.NAME;
    if (environment.containsProperties(other)) {
      throw new ConfigurationException(
          "leasehold.url and " + other + ".url are the same client: give one of them");
    }
    return configuration.open(listeners, customizers);
  }

  @Context
  @Bean(preDestroy = "close")
  @EachBean(NamedLockClientConfiguration.class)
  LockClient named(NamedLockClientConfiguration configuration) {
    return configuration.open(listeners, customizers);
  }
}
