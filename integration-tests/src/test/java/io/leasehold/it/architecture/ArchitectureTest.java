package io.leasehold.it.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.it.architecture.violations.UsesInternals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchitectureTest {
  private static final String[] JAVA = {"java..", "org.jspecify.."};
  private static final String[] DRIVERS = {
    "io.lettuce..", "io.netty..", "redis.clients..", "io.vertx..", "reactor.."
  };

  private static final List<String> DRIVER_PROVIDERS = List.of("jedis", "lettuce", "vertx");

  /** What {@code configured} has an application change. */
  private static final List<String> SETTINGS =
      List.of(
          "io.leasehold.provider.jedis.JedisLockProvider$Settings",
          "io.leasehold.provider.lettuce.LettuceLockProvider$Settings",
          "io.leasehold.provider.vertx.VertxLockProvider$Settings");

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.leasehold");

  /**
   * What listens and what wires: not on this class path, where it would take part in every test.
   */
  private static JavaClasses besides(String module) {
    JavaClasses classes =
        new ClassFileImporter().importPath(Path.of("..", module, "target", "classes"));
    assertThat(classes).as(module + ", as it was built").isNotEmpty();
    return classes;
  }

  private static ArchRule onlyDependsOn(String from, String... allowed) {
    String[] all = new String[allowed.length + JAVA.length];
    System.arraycopy(allowed, 0, all, 0, allowed.length);
    System.arraycopy(JAVA, 0, all, allowed.length, JAVA.length);
    return classes()
        .that()
        .resideInAPackage(from)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(all);
  }

  @Test
  void theWaistDependsOnNothing() {
    onlyDependsOn("io.leasehold.spi..", "io.leasehold.spi..").check(OURS);
  }

  @Test
  void theApiAndItsEngineKnowTheWaistOnly() {
    String[] allowed = {"io.leasehold", "io.leasehold.engine..", "io.leasehold.spi.."};
    onlyDependsOn("io.leasehold", allowed).check(OURS);
    onlyDependsOn("io.leasehold.engine..", allowed).check(OURS);
  }

  @Test
  void theProtocolKnowsNoDriver() {
    onlyDependsOn(
            "io.leasehold.redis..", "io.leasehold.redis..", "io.leasehold.spi..", "javax.net.ssl")
        .check(OURS);
  }

  @Test
  void theReferenceProviderKnowsTheWaistOnly() {
    onlyDependsOn(
            "io.leasehold.provider.memory..",
            "io.leasehold.provider.memory..",
            "io.leasehold.spi..")
        .check(OURS);
  }

  @Test
  void aQuorumKnowsTheWaistOnly() {
    onlyDependsOn(
            "io.leasehold.provider.redlock..",
            "io.leasehold.provider.redlock..",
            "io.leasehold.spi..")
        .check(OURS);
  }

  @Test
  void aDriverProviderKnowsTheProtocolAndItsDriverOnly() {
    aDriverProvider("jedis", "redis.clients.jedis..", "org.apache.commons.pool2..", "javax.net.ssl")
        .check(OURS);
    aDriverProvider("lettuce", "io.lettuce..", "reactor..", "javax.net.ssl").check(OURS);
    aDriverProvider("vertx", "io.vertx..", "javax.net.ssl").check(OURS);
  }

  private static ArchRule aDriverProvider(String name, String... driver) {
    List<String> allowed = new ArrayList<>(List.of(driver));
    allowed.add("io.leasehold.provider." + name + "..");
    allowed.add("io.leasehold.redis..");
    allowed.add("io.leasehold.spi..");
    return onlyDependsOn("io.leasehold.provider." + name + "..", allowed.toArray(String[]::new));
  }

  @Test
  void driversTypesAreInNoSignatureButThoseOfUsingAndSettings() {
    Set<String> using = new TreeSet<>();
    for (JavaClass type : OURS) {
      if (!type.getModifiers().contains(JavaModifier.PUBLIC)) {
        continue;
      }
      for (JavaCodeUnit method : type.getCodeUnits()) {
        boolean shown =
            method.getModifiers().contains(JavaModifier.PUBLIC)
                || method.getModifiers().contains(JavaModifier.PROTECTED);
        boolean foreign =
            method.getAllInvolvedRawTypes().stream().anyMatch(resideInAnyPackage(DRIVERS));
        if (shown && foreign && !SETTINGS.contains(type.getName())) {
          assertThat(method.getName()).as(method.getFullName()).isEqualTo("using");
          using.add(type.getSimpleName());
        }
      }
    }
    assertThat(using)
        .containsExactly("JedisLockProvider", "LettuceLockProvider", "VertxLockProvider");
  }

  @Test
  void aDriverProviderUsesNoInternalsOfItsDriver() {
    for (String name : DRIVER_PROVIDERS) {
      JavaClasses provider = OURS.that(resideInAnyPackage("io.leasehold.provider." + name + ".."));
      DriverInternals.NOT_USED.check(provider);
      DriverInternals.NOT_REACHED_BY_REFLECTION.check(provider);
    }
  }

  @Test
  void internalsOfADriverAreFound() {
    for (Class<?> violation :
        List.of(
            UsesInternals.OfNetty.class,
            UsesInternals.OfLettuce.class,
            UsesInternals.OfVertx.class,
            UsesInternals.OfJedis.class,
            UsesInternals.Cast.class)) {
      assertThatThrownBy(() -> DriverInternals.NOT_USED.check(imported(violation)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining(violation.getName());
    }
    assertThatThrownBy(
            () ->
                DriverInternals.NOT_REACHED_BY_REFLECTION.check(
                    imported(UsesInternals.Reflection.class)))
        .hasMessageContaining("getDeclaredField")
        .hasMessageContaining("setAccessible");
    DriverInternals.NOT_USED.check(imported(UsesInternals.PublicApi.class));
    DriverInternals.NOT_REACHED_BY_REFLECTION.check(imported(UsesInternals.PublicApi.class));
  }

  private static JavaClasses imported(Class<?> type) {
    return new ClassFileImporter().importClasses(type);
  }

  @Test
  void theProtocolAndTheDriverProvidersAreSmall() throws IOException {
    SourceSize.isAtMost(6_000, Path.of("..", "redis-protocol", "src", "main"));
    for (String name : DRIVER_PROVIDERS) {
      SourceSize.isAtMost(900, Path.of("..", "provider-" + name, "src", "main"));
    }
  }

  @Test
  void oneLineTooManyIsFound(@TempDir Path sources) throws IOException {
    Files.writeString(sources.resolve("Half.java"), "// a comment counts\n\n".repeat(2));
    Files.writeString(Files.createDirectory(sources.resolve("below")).resolve("Rest.java"), "\n");
    SourceSize.isAtMost(5, sources);
    assertThatThrownBy(() -> SourceSize.isAtMost(4, sources))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("lines in");
  }

  @Test
  void telemetryKnowsTheApiAndOpenTelemetryOnly() {
    onlyDependsOn(
            "io.leasehold.opentelemetry..",
            "io.leasehold.opentelemetry..",
            "io.leasehold",
            "io.leasehold.spi",
            "io.opentelemetry.api..",
            "io.opentelemetry.context..")
        .check(besides("lock-opentelemetry"));
  }

  @Test
  void theWiringKnowsTheApiAndItsFrameworkOnly() {
    onlyDependsOn(
            "io.leasehold.micronaut..",
            "io.leasehold.micronaut..",
            "io.leasehold",
            "io.leasehold.spi",
            "io.micronaut..",
            "jakarta..",
            "org.reactivestreams..",
            "reactor..")
        .check(besides("lock-micronaut"));
  }

  @Test
  void nobodyOutsideTheApiTouchesTheEngine() {
    noClasses()
        .that()
        .resideOutsideOfPackages("io.leasehold", "io.leasehold.engine..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.leasehold.engine..")
        .check(OURS);
  }

  @Test
  void theKitNeedsNeitherDriversNorProviders() {
    noClasses()
        .that()
        .resideInAPackage("io.leasehold.tck..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                    "io.leasehold.provider..", "io.leasehold.redis..", "io.leasehold.testkit..")
                .or(resideInAnyPackage(DRIVERS)))
        .check(OURS);
  }

  @Test
  void noThreadLocalAnywhere() {
    noClasses()
        .that()
        .resideInAPackage("io.leasehold..")
        .should()
        .dependOnClassesThat()
        .areAssignableTo(ThreadLocal.class)
        .check(OURS);
  }

  @Test
  void noPackageIsSplitBetweenModules() {
    Map<String, Set<String>> places = new HashMap<>();
    for (JavaClass type : OURS) {
      String place =
          type.getSource().orElseThrow().getUri().toString().replaceAll("/io/leasehold/.*", "");
      places.computeIfAbsent(type.getPackageName(), p -> new TreeSet<>()).add(place);
    }
    assertThat(places).isNotEmpty();
    assertThat(places).allSatisfy((name, from) -> assertThat(from).as(name).hasSize(1));
  }

  @Test
  void everyPackageSaysWhatLivesInIt() {
    Set<String> packages = new TreeSet<>();
    Set<String> described = new TreeSet<>();
    for (JavaClass type : OURS) {
      packages.add(type.getPackageName());
      if (type.getSimpleName().equals("package-info")) {
        described.add(type.getPackageName());
      }
    }
    assertThat(described).isEqualTo(packages);
  }

  @Test
  void theseRulesCanFail() {
    // The memory provider does depend on the waist: a rule that forbids it must say so.
    assertThatThrownBy(() -> onlyDependsOn("io.leasehold.provider.memory..").check(OURS))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("io.leasehold.spi");
    assertThat(OURS.that(alwaysTrue())).hasSizeGreaterThan(100);
  }
}
