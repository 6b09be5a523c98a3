package io.leasehold.micronaut;

import io.leasehold.LockClient;
import io.micronaut.context.BeanContext;
import io.micronaut.context.BeanRegistration;
import io.micronaut.core.naming.NameResolver;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.TreeMap;

/** All clients of the application with their names, for those who tell about them. */
@Singleton
class NamedClients {
  private final BeanContext context;

  NamedClients(BeanContext context) {
    this.context = context;
  }

  /** Sorted by name. A bean of the application's own without a name is the default one. */
  Map<String, LockClient> all() {
    Map<String, LockClient> all = new TreeMap<>();
    for (BeanRegistration<LockClient> each : context.getBeanRegistrations(LockClient.class)) {
      all.put(name(each), each.bean());
    }
    return all;
  }

  private static String name(BeanRegistration<LockClient> registration) {
    if (registration.getBeanDefinition() instanceof NameResolver named) {
      return named.resolveName().orElse(DefaultLockClientConfiguration.NAME);
    }
    return DefaultLockClientConfiguration.NAME;
  }
}
