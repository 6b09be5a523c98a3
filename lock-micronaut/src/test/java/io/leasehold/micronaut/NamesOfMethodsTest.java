package io.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.context.ApplicationContext;
import io.micronaut.context.exceptions.ConfigurationException;
import jakarta.inject.Singleton;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NamesOfMethodsTest {
  private final Neighbour neighbour = new Neighbour();
  private final ApplicationContext context = neighbour.application("orders.tenant", "acme");
  private final Shop shop = context.getBean(Shop.class);

  @AfterEach
  void close() {
    context.close();
    neighbour.close();
  }

  @Test
  void overloadsHaveNamesOfTheirOwn() {
    assertThat(shop.pay("1")).isEqualTo("text:1");
    assertThat(shop.pay(1)).isEqualTo("number:1");
    assertThat(shop.pay(1, "x")).isEqualTo("both:1:x");
  }

  @Test
  void genericAndInheritedMethodsAreLocked() {
    UUID id = UUID.randomUUID();
    assertThat(shop.generic(id)).isEqualTo("generic:" + id);
    assertThat(shop.inherited("a")).isEqualTo("inherited:a");
    assertThat(context.getBean(Store.class).find("b")).isEqualTo("store:b");
  }

  @Test
  void anOverridingMethodIsLockedLikeTheOneThatItOverrides() {
    assertThat(shop.overridden("a")).isEqualTo("overridden:a");
  }

  @Test
  void placeholdersAreResolvedBeforeParameters() {
    assertThat(shop.placeholder("7")).isEqualTo("acme:7");
    assertThat(shop.placeholderDefault("7")).isEqualTo("none:7");
  }

  @Test
  void expressionsOfMicronautsAreEvaluatedAndTheirResultIsTheName() {
    assertThat(shop.expression("7")).isEqualTo("order:7");
    assertThat(shop.expression("{id}")).isEqualTo("order:{id}");
    assertThat(shop.expression("8")).isEqualTo("order:8");
  }

  @Test
  void aMistakeIsToldWithTheMethod() {
    assertThatThrownBy(() -> shop.wrongName("1"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("@Locked on")
        .hasMessageContaining("wrongName(String id)")
        .hasMessageContaining("there is no parameter 'order'");
    assertThatThrownBy(() -> shop.wrongDuration())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("waitTime: '5 sec' is not a duration");
  }

  interface Store {
    @Locked("store:{key}")
    String find(String key);
  }

  @Singleton
  static class LockedStore implements Store {
    private final CurrentLease current;

    LockedStore(CurrentLease current) {
      this.current = current;
    }

    @Override
    public String find(String key) {
      return current.require().lockName();
    }
  }

  abstract static class Base<T> {
    final CurrentLease current;

    Base(CurrentLease current) {
      this.current = current;
    }

    @Locked("generic:{id}")
    String generic(T id) {
      return name();
    }

    @Locked("inherited:{0}")
    String inherited(String id) {
      return name();
    }

    @Locked("overridden:{id}")
    String overridden(String id) {
      return "not called";
    }

    final String name() {
      return current.require().lockName();
    }
  }

  @Singleton
  static class Shop extends Base<UUID> {
    Shop(CurrentLease current) {
      super(current);
    }

    @Override
    String overridden(String id) {
      return name();
    }

    @Locked("text:{id}")
    String pay(String id) {
      return name();
    }

    @Locked("number:{id}")
    String pay(int id) {
      return name();
    }

    @Locked("both:{id}:{name}")
    String pay(int id, String name) {
      return name();
    }

    @Locked("${orders.tenant}:{id}")
    String placeholder(String id) {
      return name();
    }

    @Locked(value = "${orders.nothing:none}:{id}", waitTime = "${orders.wait:5s}")
    String placeholderDefault(String id) {
      return name();
    }

    @Locked("#{'order:' + id}")
    String expression(String id) {
      return name();
    }

    @Locked("{order}")
    String wrongName(String id) {
      return name();
    }

    @Locked(value = "x", waitTime = "5 sec")
    String wrongDuration() {
      return name();
    }
  }
}
