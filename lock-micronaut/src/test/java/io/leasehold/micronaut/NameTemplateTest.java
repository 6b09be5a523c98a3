package io.leasehold.micronaut;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micronaut.core.annotation.Introspected;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NameTemplateTest {

  @SuppressWarnings("NullAway") // it does not see the annotation of an array in a class file
  private static String render(String template, @Nullable Object... arguments) {
    return NameTemplate.parse(template, List.of("a", "b")).render(arguments, "Orders.pay");
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "order:{a}, order:1",
    "{a}, 1",
    "{a}{b}, 1x",
    "{b}:{a}:{b}, x:1:x",
    "{0}-{1}, 1-x",
    "'{{a}}', '{a}'",
    "'{{{a}}}', '{1}'",
    "'}}{{', '}{'",
    "'{{{{a}}}}', '{{a}}'",
    "'grün {a} 鍵', 'grün 1 鍵'",
  })
  void referencesAreReplacedAndDoubledBracesAreBraces(String template, String name) {
    assertThat(render(template, 1, "x")).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "{", "}", "a{", "a}", "{a", "{}", "{ a }", "{a b}", "{a.}", "{.a}", "{a..b}",
        "{a}}", "{{a}", "{1a}", "{-1}", "{a:b}", "{a{b}}"
      })
  void aMalformedNameIsRefused(String template) {
    assertThatThrownBy(() -> render(template, 1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'" + template + "' is malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{c}", "{2}", "{99999999999}", "{A}", "{c.name}"})
  void aParameterThatIsNotThereIsNamedWithThoseThatAre(String template) {
    assertThatThrownBy(() -> render(template, 1, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no parameter")
        .hasMessageContaining("[a, b]");
  }

  @Test
  void valuesAreNotTakenForTemplates() {
    assertThat(render("{a}", "{b}", "x")).isEqualTo("{b}");
  }

  @Test
  void propertiesAreReadFromRecordsBeansAndIntrospections() {
    assertThat(render("{a.id}", new Order(7, new Customer("ada")), 0)).isEqualTo("7");
    assertThat(render("{0.customer.name}", new Order(7, new Customer("ada")), 0)).isEqualTo("ada");
    assertThat(render("{a.customer.vip}", new Order(7, new Customer("ada")), 0)).isEqualTo("true");
    assertThat(render("{a.code}", new Coded("c1"), 0)).isEqualTo("c1");
    assertThat(render("{a.id}", (Identified) () -> 8, 0)).isEqualTo("8");
    assertThat(render("{a.size}", List.of(1, 2, 3), 0)).isEqualTo("3");
  }

  @Test
  void aPropertyThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> render("{a.nothing}", new Order(7, null), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Orders.pay")
        .hasMessageContaining("{a.nothing} has no property 'nothing'");
  }

  @Test
  void aNullIsAnErrorThatNamesTheParameterAndTheMethod() {
    assertThatThrownBy(() -> render("order:{b}", 1, null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("The lock's name 'order:{b}' cannot be made for Orders.pay: {b} is null");
    assertThatThrownBy(() -> render("{a.customer.name}", new Order(7, null), 1))
        .hasMessageContaining("{a.customer.name} is null before 'name'");
  }

  @Test
  void anObjectThatDoesNotTellWhatItIsCannotBePartOfAName() {
    assertThatThrownBy(() -> render("{a}", new Object(), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no toString of its own");
    assertThatThrownBy(() -> render("{a}", new int[] {1}, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  record Order(long id, @Nullable Customer customer) {}

  interface Identified {
    int getId();
  }

  public static final class Customer {
    private final String name;

    Customer(String name) {
      this.name = name;
    }

    public String getName() {
      return name;
    }

    public boolean isVip() {
      return true;
    }
  }

  @Introspected
  record Coded(String code) {}
}
