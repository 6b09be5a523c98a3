package io.leasehold.it.newcomer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A local Maven repository with what this build has made, as {@code mvn install} would leave it,
 * beside everything that the machine's own repository has (by hard links), so that little is
 * fetched. The machine's own one is not written to.
 */
final class OwnRepository {
  private static final String VERSION = "0.1.0-SNAPSHOT";

  private final Path folder;

  private OwnRepository(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes one; aborts the test where modules were not packaged, as in {@code mvn test}.
   *
   * @param modules the folders of the modules that are put into it
   */
  static OwnRepository in(Path folder, List<String> modules) throws IOException {
    for (String module : modules) {
      Assumptions.assumeTrue(
          Files.exists(jar(module)), () -> "not packaged: " + module + "; use mvn verify");
    }
    Path machines =
        Path.of(
            System.getProperty(
                "localRepository", // of Surefire
                System.getProperty("user.home") + "/.m2/repository"));
    OwnRepository repository = new OwnRepository(folder);
    if (Files.isDirectory(machines)) {
      repository.link(machines);
    }
    repository.install("leasehold-bom", Page.ROOT.resolve("bom/pom.xml"), null);
    repository.install("leasehold-parent", Page.ROOT.resolve("pom.xml"), null);
    for (String module : modules) {
      repository.install(name(module), Page.ROOT.resolve(module).resolve("pom.xml"), jar(module));
    }
    return repository;
  }

  private static String name(String module) {
    return Path.of(module).getFileName().toString();
  }

  private static Path jar(String module) {
    return Page.ROOT.resolve(module).resolve("target/" + name(module) + "-" + VERSION + ".jar");
  }

  private void install(String artifact, Path pom, @Nullable Path jar) throws IOException {
    Path place = folder.resolve("io/leasehold").resolve(artifact).resolve(VERSION);
    Files.createDirectories(place);
    Files.copy(pom, place.resolve(artifact + "-" + VERSION + ".pom"));
    if (jar != null) {
      Files.copy(jar, place.resolve(artifact + "-" + VERSION + ".jar"));
    }
  }

  private void link(Path machines) throws IOException {
    Path ours = machines.resolve("io/leasehold");
    Files.walkFileTree(
        machines,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes)
              throws IOException {
            if (from.equals(ours)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(folder.resolve(machines.relativize(from).toString()));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path from, BasicFileAttributes attributes)
              throws IOException {
            String name = from.getFileName().toString();
            Path to = folder.resolve(machines.relativize(from).toString());
            if (name.endsWith(".jar") || name.endsWith(".pom")) { // never written to in place
              try {
                Files.createLink(to, from);
              } catch (IOException | UnsupportedOperationException e) { // another file system
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
              }
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Runs a command in a folder, with this repository in the place of the machine's. */
  String run(String command, Path where, Map<String, String> environment) throws Exception {
    List<String> words = new ArrayList<>(List.of("bash", "-c", command));
    ProcessBuilder builder = new ProcessBuilder(words).directory(where.toFile());
    builder.environment().putAll(environment);
    builder.environment().put("MAVEN_OPTS", "-Dmaven.repo.local=" + folder);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Path log = Files.createTempFile(where, "run", ".log");
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
    } finally {
      process.destroyForcibly();
    }
    String said = Files.readString(log).replaceAll("\u001b\\[[0-9;]*m", ""); // of Maven
    assertThat(process.exitValue()).as("%s%n%s", command, said).isZero();
    return said;
  }
}
