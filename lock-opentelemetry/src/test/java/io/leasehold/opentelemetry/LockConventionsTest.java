package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LockConventionsTest {
  private static final String NAME = "[a-z][a-z0-9]*(_[a-z0-9]+)*(\\.[a-z][a-z0-9]*(_[a-z0-9]+)*)+";

  @Test
  void namesAreLowerCaseInNamespacesWithUnderscoresBetweenWords() {
    assertThat(Constants.strings(LockConventions.Metrics.class))
        .allMatch(name -> name.matches(NAME))
        .allMatch(name -> name.startsWith("leasehold."));
    assertThat(Constants.strings(LockConventions.Keys.class)).allMatch(name -> name.matches(NAME));
  }

  @Test
  void noNameIsTheNamespaceOfAnother() {
    assertNoNamespaces(Constants.strings(LockConventions.Metrics.class));
    assertNoNamespaces(Constants.strings(LockConventions.Keys.class));
    assertNoNamespaces(Constants.strings(LockConventions.Events.class));
  }

  private static void assertNoNamespaces(List<String> names) {
    assertThat(names).doesNotHaveDuplicates();
    for (String name : names) {
      assertThat(names).noneMatch(other -> other.startsWith(name + "."));
    }
  }

  @Test
  void spanNamesAreThree() {
    assertThat(Constants.strings(LockConventions.Spans.class))
        .containsExactlyInAnyOrder("leasehold acquire", "leasehold hold", "leasehold release");
  }
}
