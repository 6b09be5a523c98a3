package io.leasehold.ctl;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the command line may depend on; the other modules' rules are in integration-tests. */
class DependenciesTest {
  private static final String[] DRIVERS = {
    "io.lettuce..", "io.netty..", "redis.clients..", "io.vertx..", "reactor.."
  };

  private static final JavaClasses COMMAND_LINE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.leasehold.ctl");

  @Test
  void knowsTheApiAndNeitherDriversNorProviders() {
    noClasses()
        .that()
        .resideInAPackage("io.leasehold.ctl..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.leasehold.engine..", "io.leasehold.provider..")
                .or(resideInAnyPackage(DRIVERS)))
        .check(COMMAND_LINE);
    Map<String, String> groups = // no group knows another; each with what it has to itself
        Map.of(
            "run", "io.leasehold.spi",
            "admin", "io.leasehold.spi",
            "check", "io.leasehold.tck",
            "doctor", "io.leasehold.redis",
            "demo", "io.leasehold.testkit");
    groups.forEach(
        (group, own) ->
            classes()
                .that()
                .resideInAPackage("io.leasehold.ctl." + group + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                    "java..",
                    "org.jspecify..",
                    "io.leasehold.ctl." + group + "..",
                    "io.leasehold.ctl",
                    "io.leasehold",
                    "io.leasehold.spi",
                    own,
                    "picocli")
                .check(COMMAND_LINE));
  }
}
