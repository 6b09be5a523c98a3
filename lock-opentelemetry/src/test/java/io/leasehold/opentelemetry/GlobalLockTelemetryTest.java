package io.leasehold.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.opentelemetry.LockConventions.Keys;
import io.leasehold.opentelemetry.LockConventions.Metrics;
import io.leasehold.opentelemetry.LockConventions.Spans;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GlobalLockTelemetryTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  private final Observatory observatory = new Observatory();

  @BeforeEach
  @AfterEach
  void noGlobal() {
    GlobalOpenTelemetry.resetForTest();
    System.clearProperty(GlobalLockTelemetry.NAMES_PROPERTY);
  }

  @AfterEach
  void close() {
    observatory.close();
  }

  @Test
  void itIsFoundByTheServiceLoader() {
    assertThat(ServiceLoader.load(LockListener.class))
        .singleElement()
        .isInstanceOf(GlobalLockTelemetry.class);
  }

  @Test
  void theModuleProvidesTheSame() throws IOException {
    Path compiled = Path.of("target", "classes", "module-info.class");
    try (InputStream module = Files.newInputStream(compiled)) {
      assertThat(ModuleDescriptor.read(module).provides())
          .singleElement()
          .satisfies(
              provided -> {
                assertThat(provided.service()).isEqualTo(LockListener.class.getName());
                assertThat(provided.providers())
                    .containsExactly(GlobalLockTelemetry.class.getName());
              });
    }
  }

  @Test
  void aGlobalThatIsSetIsUsedBecauseTheJarIsOnTheClassPath() throws Exception {
    GlobalOpenTelemetry.set(observatory.api());
    System.setProperty(GlobalLockTelemetry.NAMES_PROPERTY, "full");
    try (LockClient locks = observatory.silentLocks().discoverListeners(true).open()) {
      locks.lock("order:42").acquire(LONG).close();
      assertThat(observatory.span(Spans.ACQUIRE).getAttributes().get(Keys.NAME))
          .isEqualTo("order:42");
      Observatory.eventually(() -> observatory.total(Metrics.HOLD_DURATION) == 1);
    }
  }

  @Test
  void withoutAGlobalItIsSilentAndOneThatIsSetLaterIsUsed() throws Exception {
    try (LockClient locks = observatory.silentLocks().discoverListeners(true).open()) {
      locks.lock("a").acquire(LONG).close();
      assertThat(GlobalOpenTelemetry.isSet()).isFalse();
      assertThat(new GlobalLockTelemetry().start(ObserverTest.call("a")))
          .isSameAs(LockObserver.NONE);
      GlobalOpenTelemetry.set(observatory.api());
      locks.lock("a").acquire(LONG).close();
      observatory.span(Spans.HOLD);
      assertThat(observatory.total(Metrics.ACQUIRE_DURATION)).isEqualTo(1);
    }
  }

  @Test
  void aGlobalThatDoesNothingCostsNothing() {
    GlobalOpenTelemetry.set(OpenTelemetry.noop());
    assertThat(new GlobalLockTelemetry().start(ObserverTest.call("a"))).isSameAs(LockObserver.NONE);
  }

  @Test
  void aClientThatWasGivenOneIsNotToldTwice() throws Exception {
    GlobalOpenTelemetry.set(observatory.api());
    try (LockClient given = observatory.locks().discoverListeners(true).open();
        LockClient found = observatory.silentLocks().discoverListeners(true).open()) {
      given.lock("a").acquire(LONG).close();
      given.lock("a").acquire(LONG).close();
      observatory.spans(Spans.HOLD, 2);
      found.lock("a").acquire(LONG).close();
      observatory.spans(Spans.HOLD, 3);
      Observatory.eventually(() -> observatory.total(Metrics.HOLD_DURATION) == 3);
      assertThat(observatory.ended(Spans.ACQUIRE)).hasSize(3);
      assertThat(observatory.total(Metrics.ACQUIRE_DURATION)).isEqualTo(3);
    }
  }
}
