package io.leasehold.micronaut;

import static io.leasehold.micronaut.Neighbour.BOUND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.Lease;
import io.leasehold.LockClient;
import io.leasehold.LockListener;
import io.leasehold.LockObserver;
import io.leasehold.LockTimeoutException;
import io.leasehold.LocksBuilder;
import io.micronaut.context.ApplicationContext;
import io.micronaut.context.annotation.Requires;
import io.micronaut.context.env.PropertySource;
import io.micronaut.context.exceptions.ConfigurationException;
import io.micronaut.context.exceptions.NoSuchBeanException;
import io.micronaut.inject.qualifiers.Qualifiers;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClientConfigurationTest {
  private static final String SECRET = "s3cr3t";

  private static LockClient client(ApplicationContext context, String name) {
    return context.getBean(LockClient.class, Qualifiers.byName(name));
  }

  @Test
  void aUrlMakesTheDefaultClient() {
    try (Neighbour neighbour = new Neighbour();
        ApplicationContext context = neighbour.application()) {
      LockClient locks = context.getBean(LockClient.class);
      assertThat(client(context, "default")).isSameAs(locks);
      try (Lease lease = locks.lock("a").tryAcquire().orElseThrow()) {
        assertThat(lease.isHeld()).isTrue();
        assertThat(neighbour.isRefused("a")).isTrue();
      }
    }
  }

  @Test
  void namedClientsAreBeansWithTheirNamesAndTheOneCalledDefaultIsPrimary() {
    try (Neighbour orders = new Neighbour();
        Neighbour others = new Neighbour();
        ApplicationContext context =
            ApplicationContext.run(
                Map.of(
                    "leasehold.clients.orders.url", orders.url(),
                    "leasehold.clients.default.url", others.url()))) {
      assertThat(context.getBean(LockClient.class)).isSameAs(client(context, "default"));
      Two two = context.getBean(Two.class);
      assertThat(two.orders).isSameAs(client(context, "orders")).isNotSameAs(two.locks);
      two.inOrders(() -> assertThat(orders.isRefused("x")).isTrue());
      two.inOrders(() -> assertThat(others.isRefused("x")).isFalse());
      two.inDefault(() -> assertThat(others.isRefused("x")).isTrue());
    }
  }

  @Test
  void aUrlAndNamedClientsGoTogether() {
    try (Neighbour orders = new Neighbour();
        Neighbour others = new Neighbour();
        ApplicationContext context =
            others.application("leasehold.clients.orders.url", orders.url())) {
      context.getBean(Two.class).inDefault(() -> assertThat(others.isRefused("x")).isTrue());
      context.getBean(Two.class).inOrders(() -> assertThat(orders.isRefused("x")).isTrue());
    }
  }

  @Test
  void theOnlyClientIsTheDefaultOneWhateverItsName() {
    try (Neighbour orders = new Neighbour();
        ApplicationContext context =
            ApplicationContext.run(Map.of("leasehold.clients.orders.url", orders.url()))) {
      context.getBean(Two.class).inDefault(() -> assertThat(orders.isRefused("x")).isTrue());
    }
  }

  @Test
  void severalClientsWithoutADefaultOneHaveToBeNamed() {
    try (ApplicationContext context =
        ApplicationContext.run(
            Map.of(
                "leasehold.clients.a.url",
                "lock:mem://a",
                "leasehold.clients.b.url",
                "lock:mem://b"))) {
      assertThatThrownBy(() -> context.getBean(Simple.class).run())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("several lock clients");
    }
  }

  @Test
  void withoutAUrlThereIsNoClientAndALockedMethodSaysWhatToDo() {
    try (ApplicationContext context = ApplicationContext.run()) {
      assertThatThrownBy(() -> context.getBean(LockClient.class))
          .isInstanceOf(NoSuchBeanException.class);
      assertThatThrownBy(() -> context.getBean(Simple.class).run())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("configure leasehold.url");
      assertThatThrownBy(() -> context.getBean(Simple.class).elsewhere())
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("configure leasehold.clients.elsewhere.url");
    }
  }

  @Test
  void optionsAreTakenInEitherSpellingAndTheWaitIsThatOfTheClient() {
    for (String spelling : List.of("wait-time", "waitTime")) {
      try (Neighbour neighbour = new Neighbour();
          Lease held = neighbour.take("simple");
          ApplicationContext context =
              neighbour.application("leasehold.options." + spelling, "20ms")) {
        assertThat(held.isHeld()).isTrue();
        Simple simple = context.getBean(Simple.class);
        assertThatThrownBy(simple::run)
            .isInstanceOfSatisfying(
                LockTimeoutException.class,
                e -> assertThat(e.waited()).isEqualTo(Duration.ofMillis(20)));
        assertThatThrownBy(
                () -> simple.later().toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join())
            .cause()
            .isInstanceOfSatisfying(
                LockTimeoutException.class,
                e -> assertThat(e.waited()).isEqualTo(Duration.ofMillis(20)));
      }
    }
  }

  @Test
  void aWrongConfigurationNamesThePropertyAndNeverTheUrl() {
    assertWrong("leasehold.url", Map.of("leasehold.url", "redis://app:" + SECRET + "@host"));
    assertWrong(
        "leasehold.clients.x.url",
        Map.of("leasehold.clients.x.url", "lock:nothing://app:" + SECRET + "@host"));
    assertWrong(
        "leasehold.clients.x.url",
        Map.of("leasehold.clients.x.url", "lock:mem://app:" + SECRET + "@x?leaseTime=5"));
    assertWrong("leasehold.clients.x.url", Map.of("leasehold.clients.x.options.lease-time", "5s"));
    assertWrong(
        "leasehold.options.lease-time",
        Map.of(
            "leasehold.url",
            "lock:mem://app:" + SECRET + "@x",
            "leasehold.options.leaseTime",
            "5"));
    assertWrong(
        "leasehold.clients.default",
        Map.of("leasehold.url", "lock:mem://a", "leasehold.clients.default.url", "lock:mem://a"));
  }

  private static void assertWrong(String property, Map<String, Object> configuration) {
    assertThatThrownBy(() -> ApplicationContext.run(configuration).close())
        .hasStackTraceContaining(property)
        .satisfies(e -> assertThat(stackTrace(e)).doesNotContain(SECRET));
  }

  private static String stackTrace(@Nullable Throwable e) {
    java.io.StringWriter text = new java.io.StringWriter();
    if (e != null) {
      e.printStackTrace(new java.io.PrintWriter(text));
    }
    return text.toString();
  }

  @Test
  void aConfigurationShowsItsNameOnly() {
    try (ApplicationContext context =
        ApplicationContext.run(Map.of("leasehold.url", "lock:mem://" + SECRET))) {
      assertThat(context.getBean(LockClientConfiguration.class))
          .hasToString("LockClientConfiguration[default]");
    }
  }

  @Test
  void urlsMayComeFromTheEnvironment() {
    Map<String, Object> variables =
        Map.of(
            "LEASEHOLD_URL", "lock:mem://env", "LEASEHOLD_CLIENTS_BILLING_URL", "lock:mem://other");
    PropertySource source =
        PropertySource.of(
            "env",
            variables,
            PropertySource.PropertyConvention.ENVIRONMENT_VARIABLE,
            PropertySource.Origin.of("env"));
    try (ApplicationContext context =
        ApplicationContext.builder().propertySources(source).start()) {
      assertThat(context.getBean(LockClient.class)).isSameAs(client(context, "default"));
      assertThat(client(context, "billing")).isNotSameAs(client(context, "default"));
    }
  }

  @Test
  void listenersAndCustomizersThatAreBeansAreUsed() {
    try (Neighbour neighbour = new Neighbour();
        ApplicationContext context = neighbour.application("spec", "listening")) {
      context.getBean(Simple.class).run();
      List<String> heard = context.getBean(Listening.class).heard;
      await().atMost(BOUND).until(() -> heard.contains("simple"));
      assertThat(context.getBean(Customizing.class).clients).containsExactly("default");
      assertThat(neighbour.client().inspect("simple").holder()).isEmpty();
    }
  }

  @Singleton
  static class Simple {
    @Locked("simple")
    void run() {}

    @Locked(value = "simple", client = "elsewhere")
    void elsewhere() {}

    @Locked("simple")
    java.util.concurrent.CompletionStage<String> later() {
      return java.util.concurrent.CompletableFuture.completedFuture("later");
    }
  }

  @Singleton
  static class Two {
    final LockClient locks;
    final LockClient orders;

    Two(LockClient locks, @Named("orders") LockClient orders) {
      this.locks = locks;
      this.orders = orders;
    }

    @Locked(value = "x", client = "orders")
    void inOrders(Runnable inside) {
      inside.run();
    }

    @Locked("x")
    void inDefault(Runnable inside) {
      inside.run();
    }
  }

  @Singleton
  @Requires(property = "spec", value = "listening")
  static class Listening implements LockListener {
    final List<String> heard = new CopyOnWriteArrayList<>();

    @Override
    public LockObserver start(AcquireCall call) {
      heard.add(call.lockName());
      return LockObserver.NONE;
    }
  }

  @Singleton
  @Requires(property = "spec", value = "listening")
  static class Customizing implements LocksBuilderCustomizer {
    final List<String> clients = new CopyOnWriteArrayList<>();

    @Override
    public void customize(String client, LocksBuilder builder) {
      clients.add(client);
      builder.option("leaseTime", "10s");
    }
  }
}
