package io.leasehold.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PrintableTest {

  @Test
  void whatIsSeenStaysAsItIs() {
    for (String text :
        new String[] {"", "order:42", "a b 'c' \"d\" \\ {e}", "Bestellung-ä-日本-🔒"}) {
      assertThat(Printable.of(text)).isSameAs(text);
    }
  }

  @Test
  void whatIsNotSeenIsWrittenOut() {
    assertThat(Printable.of("a\nb\r\tc\u0000")).isEqualTo("a\\u000ab\\u000d\\u0009c\\u0000");
    assertThat(Printable.of("\u001b[2Jgone\u007f\u009b")).isEqualTo("\\u001b[2Jgone\\u007f\\u009b");
    assertThat(Printable.of("a\u2028b\u2029c\u0085")).isEqualTo("a\\u2028b\\u2029c\\u0085");
  }

  @Test
  void whatTurnsTheDirectionOrHidesInAWordIsWrittenOut() {
    assertThat(Printable.of("a\u202eb\u200bc\ufeff")).isEqualTo("a\\u202eb\\u200bc\\ufeff");
    assertThat(Printable.of("x" + Character.toString(0xE0041))).isEqualTo("x\\udb40\\udc41");
  }

  @Test
  void halvesOfPairsAreWrittenOut() {
    assertThat(Printable.of("\ud83d🔒\udd12")).isEqualTo("\\ud83d🔒\\udd12");
  }

  @Test
  void twiceIsAsOnce() {
    String once = Printable.of("a\n\u001b\\u000a");
    assertThat(Printable.of(once)).isSameAs(once);
  }
}
