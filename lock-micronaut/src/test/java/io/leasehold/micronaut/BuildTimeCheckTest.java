package io.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BuildTimeCheckTest {
  private final Path output;

  BuildTimeCheckTest(@TempDir Path output) {
    this.output = output;
  }

  /**
   * The errors of compiling a bean with this method, with Micronaut's processors and our checks.
   */
  private String errors(String method) throws IOException {
    String source =
        """
        package shop;

        import io.leasehold.Lease;
        import io.leasehold.micronaut.*;
        import java.util.*;

        @jakarta.inject.Singleton
        class Orders<G> {
          record Order(long id, Customer customer) {}

          static class Customer {
            public String getName() {
              return "";
            }
          }

          %s
        }
        """
            .formatted(method);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
      files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(output));
      String path = System.getProperty("java.class.path");
      List<String> options = List.of("-classpath", path, "-processorpath", path);
      compiler
          .getTask(null, files, found, options, null, List.of(new Source("shop/Orders", source)))
          .call();
    }
    return found.getDiagnostics().stream()
        .filter(each -> each.getKind() == Diagnostic.Kind.ERROR)
        .map(each -> each.getMessage(Locale.ROOT))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Locked(\"order:{id}\") void pay(String id, Lease lease) {}",
        "@Locked(\"{0}:{order.id}:{order.customer.name}\") void pay(String id, Order order) {}",
        "@Locked(\"{{{id}}}\") void pay(String id) {}",
        "@Locked(\"${tenant:${other:none}}:{id}\") void pay(String id) {}",
        "@Locked(\"#{'order:' + id}\") void pay(String id) {}",
        "@Locked(\"{any.thing}\") void pay(Object any) {}",
        "@Locked(\"{any.thing}\") void pay(G any) {}",
        "@Locked(\"{ids.size}\") void pay(List<String> ids) {}",
        "@Locked(value = \"x\", waitTime = \"${w:5s}\", leaseTime = \"PT5S\") void pay() {}",
        "@Locked(value = \"x\", onBusy = OnBusy.SKIP) void pay() {}",
        "@Locked(value = \"x\", onBusy = OnBusy.SKIP) int[] pay() { return null; }",
        "@Locked(\"x\") int pay() { return 1; }",
        "@RunOnce(name = \"x\", atLeast = \"1m\", atMost = \"${m:2m}\") void run() {}",
      })
  void whatIsRightCompiles(String method) throws IOException {
    assertThat(errors(method)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@Locked(\"order:{ids}\") void pay(String id) {} | there is no parameter 'ids'",
        "@Locked(\"order:{1}\") void pay(String id) {} | there is no parameter '1'",
        "@Locked(\"order:{id\") void pay(String id) {} | is malformed",
        "@Locked(\"\") void pay(String id) {} | is malformed",
        "@Locked(\"${x}:{ids}\") void pay(String id) {} | there is no parameter 'ids'",
        "@Locked(\"{order.total}\") void pay(Order order) {} | has no property 'total'",
        "@Locked(\"{order.customer.age}\") void pay(Order order) {} | has no property 'age'",
        "@Locked(\"{ids}\") void pay(String[] ids) {} | is an array",
        "@Locked(value = \"x\", waitTime = \"5\") void pay() {} | waitTime: '5' is not a duration",
        "@Locked(value = \"x\", leaseTime = \"5w\") void pay() {} | leaseTime: '5w' is not",
        "@Locked(value = \"x\", onBusy = OnBusy.SKIP) int pay() { return 1; } | primitive",
        "@RunOnce(name = \"{x}\") void run() {} | there is no parameter 'x'",
        "@RunOnce(name = \"x\") long run() { return 1; } | primitive",
        "@RunOnce(name = \"x\", atLeast = \"2m\", atMost = \"1m\") void run() {} | is shorter than",
        "@RunOnce(name = \"x\", atMost = \"soon\") void run() {} | atMost: 'soon' is not a duration",
        "@RunOnce void run() {} | name",
      })
  void aMistakeFailsTheBuild(String method, String error) throws IOException {
    assertThat(errors(method)).contains(error);
  }

  @Test
  void anImplementationThatCallsTheParameterDifferentlyIsFound() throws IOException {
    assertThat(
            errors(
                """
                interface Store {
                  @Locked("store:{key}") String find(String key);
                }

                @jakarta.inject.Singleton
                static class LockedStore implements Store {
                  @Override
                  public String find(String name) {
                    return name;
                  }
                }
                """))
        .contains("there is no parameter 'key'");
  }

  @Test
  void aClassCannotBeLocked() throws IOException {
    assertThat(errors("@Locked(\"x\") static class Inner {}")).contains("not applicable");
  }

  private static final class Source extends SimpleJavaFileObject {
    private final String text;

    Source(String name, String text) {
      super(URI.create("string:///" + name + Kind.SOURCE.extension), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }
}
