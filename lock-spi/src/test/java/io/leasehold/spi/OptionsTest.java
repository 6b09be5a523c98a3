package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsTest {

  @Test
  void everyKeyIsFoundByItsName() throws IllegalAccessException {
    List<String> constants = new ArrayList<>();
    for (Field field : Options.class.getFields()) {
      if (field.get(null) instanceof OptionKey<?> key) {
        constants.add(key.name());
      }
    }
    assertThat(Options.names()).containsExactlyInAnyOrderElementsOf(constants);
  }
}
