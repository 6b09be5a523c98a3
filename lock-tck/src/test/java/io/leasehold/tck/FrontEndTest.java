package io.leasehold.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.leasehold.tck.thirdparty.MuteToy;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JUnit front end: what a third party sees, and what it cannot do. */
class FrontEndTest {

  @Test
  void nothingCanBeOverriddenButTheSubject() {
    for (Method method : LockProviderTck.class.getDeclaredMethods()) {
      boolean subject = method.getName().equals("subject");
      int modifiers = method.getModifiers();
      boolean closed =
          Modifier.isFinal(modifiers)
              || Modifier.isPrivate(modifiers)
              || Modifier.isStatic(modifiers);
      assertThat(closed).as(method.toString()).isEqualTo(!subject);
    }
    assertThat(LockProviderTck.class.getDeclaredFields())
        .allMatch(field -> Modifier.isFinal(field.getModifiers()));
    assertThat(Modifier.isFinal(Certification.class.getModifiers())).isTrue();
    assertThat(Modifier.isFinal(Requirement.class.getModifiers())).isTrue();
  }

  @Test
  void thereIsOneTestForEachRequirementAndOneForTheCertificate() {
    Map<String, TestExecutionResult> results = run(MuteToy.class);
    assertThat(results).hasSize(Requirement.values().length + 1);
    assertThat(results.keySet())
        .containsAll(
            Arrays.stream(Requirement.values()).map(r -> r.id() + " " + r.text()).toList());
    assertThat(status(results, "LIVE-A-7 ")).isEqualTo(TestExecutionResult.Status.FAILED);
    assertThat(status(results, "SAFE-1 ")).isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    assertThat(status(results, "SAFE-2 ")).isEqualTo(TestExecutionResult.Status.ABORTED);
    assertThat(status(results, "SEC-4 ")).isEqualTo(TestExecutionResult.Status.ABORTED);
    assertThat(status(results, "certified at ")).isEqualTo(TestExecutionResult.Status.FAILED);
    assertThat(result(results, "LIVE-A-7 ").getThrowable().orElseThrow())
        .hasMessageStartingWith("LIVE-A-7: ");
    assertThat(result(results, "SAFE-2 ").getThrowable().orElseThrow())
        .hasMessageContaining("SAFE-2: SKIPPED: ");
  }

  private static TestExecutionResult.Status status(
      Map<String, TestExecutionResult> results, String prefix) {
    return result(results, prefix).getStatus();
  }

  private static TestExecutionResult result(
      Map<String, TestExecutionResult> results, String prefix) {
    return results.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .findFirst()
        .orElseThrow()
        .getValue();
  }

  private static Map<String, TestExecutionResult> run(Class<?> tests) {
    Map<String, TestExecutionResult> results = new TreeMap<>();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build();
    LauncherFactory.create()
        .execute(
            request,
            new TestExecutionListener() {
              @Override
              public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                  results.put(test.getDisplayName(), result);
                }
              }
            });
    return results;
  }
}
