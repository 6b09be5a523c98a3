package io.leasehold.it.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.LockProvider;
import java.io.File;
import java.io.IOException;
import java.lang.module.Configuration;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The published jars as named modules. */
class ModulesTest {

  /** The modules of ours on the class path, by name, with where they lie. */
  private static Map<String, ModuleReference> ours() {
    Map<String, ModuleReference> found = new TreeMap<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      try {
        ModuleFinder.of(Path.of(entry)).findAll().stream()
            .filter(module -> module.descriptor().name().startsWith("io.leasehold"))
            .filter(module -> !module.descriptor().isAutomatic())
            .forEach(module -> found.put(module.descriptor().name(), module));
      } catch (FindException e) {
        assertThat(entry).as("a jar of ours must be a module").doesNotContain("leasehold");
      }
    }
    return found;
  }

  @Test
  void everyPublishedModuleHasADescriptorNamedAfterItsRootPackage() {
    Map<String, ModuleReference> modules = ours();
    assertThat(modules)
        .containsOnlyKeys(
            "io.leasehold",
            "io.leasehold.spi",
            "io.leasehold.redis",
            "io.leasehold.tck",
            "io.leasehold.provider.memory",
            "io.leasehold.provider.redlock",
            "io.leasehold.provider.jedis",
            "io.leasehold.provider.lettuce",
            "io.leasehold.provider.vertx");
    modules.forEach(
        (name, module) -> {
          assertThat(module.descriptor().isAutomatic()).as(name).isFalse();
          assertThat(module.descriptor().exports()).as(name).anyMatch(e -> e.source().equals(name));
        });
    assertThat(modules.get("io.leasehold"))
        .isNotNull()
        .satisfies(
            api ->
                assertThat(api.descriptor().exports())
                    .extracting(ModuleDescriptor.Exports::source)
                    .containsExactly("io.leasehold"));
  }

  @Test
  void aProviderIsNamedForTheClassPathAndForTheModulePathAlike() throws IOException {
    int providers = 0;
    for (ModuleReference module : ours().values()) {
      Set<String> provided =
          module.descriptor().provides().stream()
              .filter(p -> p.service().equals(LockProvider.class.getName()))
              .flatMap(p -> p.providers().stream())
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> listed = new TreeSet<>();
      try (var reader = module.open()) {
        var services = reader.open("META-INF/services/" + LockProvider.class.getName());
        if (services.isPresent()) {
          try (var in = services.get()) {
            listed.addAll(
                Arrays.asList(
                    new String(in.readAllBytes(), StandardCharsets.UTF_8)
                        .trim()
                        .split("\\s+", -1)));
          }
        }
      }
      assertThat(listed).as(module.descriptor().name()).isEqualTo(provided);
      providers += provided.size();
    }
    assertThat(providers).isEqualTo(5);
  }

  @Test
  void aLockWorksOnTheModulePath() throws ReflectiveOperationException {
    Path[] paths =
        ours().values().stream()
            .filter(
                m -> !m.descriptor().name().matches(".*(tck|redis|redlock|jedis|lettuce|vertx)"))
            .map(m -> Path.of(m.location().orElseThrow()))
            .toArray(Path[]::new);
    ModuleLayer boot = ModuleLayer.boot();
    Configuration configuration =
        boot.configuration()
            .resolveAndBind(ModuleFinder.of(paths), ModuleFinder.of(), List.of("io.leasehold"));
    ModuleLayer layer =
        boot.defineModulesWithOneLoader(configuration, ClassLoader.getPlatformClassLoader());
    ClassLoader loader = layer.findLoader("io.leasehold");
    Class<?> locks = loader.loadClass("io.leasehold.Locks");
    assertThat(locks.getModule().isNamed()).isTrue();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(loader);
    try {
      Object client = locks.getMethod("open", String.class).invoke(null, "lock:mem://modules");
      Class<?> clientType = loader.loadClass("io.leasehold.LockClient");
      Object lock = clientType.getMethod("lock", String.class).invoke(client, "a");
      Object lease =
          loader.loadClass("io.leasehold.DistributedLock").getMethod("tryAcquire").invoke(lock);
      assertThat(lease.toString()).contains("Lease[a, held]");
      clientType.getMethod("close").invoke(client);
    } finally {
      thread.setContextClassLoader(before);
    }
  }
}
