package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.ProtocolException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PortionsTest {
  private final Deque<Runnable> later = new ArrayDeque<>();
  private final List<String> read = new ArrayList<>();
  private final List<ProtocolException> refused = new ArrayList<>();
  private final List<String> dropped = new ArrayList<>();
  private final Portions portions = new Portions(new RespGate(), later::add, refused::add);

  private void came(String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    AtomicInteger at = new AtomicInteger();
    portions.came(
        index -> bytes[index],
        0,
        bytes.length,
        count -> {
          if (count == 0) {
            dropped.add(text);
          } else {
            read.add(new String(bytes, at.getAndAdd(count), count, US_ASCII));
          }
        });
  }

  private static String replies(int from, int to) {
    StringBuilder text = new StringBuilder();
    for (int i = from; i <= to; i++) {
      text.append(':').append(i).append("\r\n");
    }
    return text.toString();
  }

  private void letTheLoopGoOn() {
    later.remove().run();
  }

  @Test
  void aFewAreReadAtOnce() {
    came(replies(1, 4));
    assertThat(read).containsExactly(replies(1, 4));
    assertThat(later).isEmpty();
  }

  @Test
  void betweenTwoPortionsTheLoopDoesWhatItWasGivenToDo() {
    came(replies(1, 10));
    assertThat(read).containsExactly(replies(1, 4));
    later.add(() -> read.add("sent"));
    letTheLoopGoOn();
    letTheLoopGoOn();
    letTheLoopGoOn();
    assertThat(read).containsExactly(replies(1, 4), replies(5, 8), "sent", replies(9, 10));
    assertThat(later).isEmpty();
  }

  @Test
  void whatComesMeanwhileIsReadBehindIt() {
    came(replies(1, 5));
    came(replies(6, 7));
    assertThat(read).containsExactly(replies(1, 4));
    letTheLoopGoOn();
    letTheLoopGoOn();
    assertThat(read).containsExactly(replies(1, 4), replies(5, 5), replies(6, 7));
    assertThat(later).isEmpty();
    came(replies(8, 8));
    assertThat(read).endsWith(replies(8, 8));
  }

  @Test
  void repliesCountAndNotTheirLinesNorHowTheyAreCut() {
    String list = "*2\r\n$1\r\na\r\n*1\r\n:1\r\n";
    came(list.repeat(2) + list.substring(0, 7));
    came(list.substring(7) + list.repeat(4));
    assertThat(read)
        .containsExactly(list.repeat(2) + list.substring(0, 7), list.substring(7) + list.repeat(3));
    letTheLoopGoOn();
    assertThat(read).endsWith(list);
  }

  @Test
  void whatCameBeforeTheEndIsReadBeforeIt() {
    came(replies(1, 9));
    came(replies(10, 12));
    portions.ended();
    assertThat(read).containsExactly(replies(1, 4), replies(5, 9), replies(10, 12));
    letTheLoopGoOn();
    assertThat(later).isEmpty();
    assertThat(read).hasSize(3);
  }

  @Test
  void whatComesFasterThanItIsReadIsNotKept() {
    for (int i = 1; i <= 10 * Portions.MOST_KEPT; i++) {
      came(replies(8 * i + 1, 8 * i + 8));
    }
    assertThat(String.join("", read)).startsWith(replies(9, 8 * 9 * Portions.MOST_KEPT));
    assertThat(later).as("the rest is read by one task, however often that happened").hasSize(1);
    while (!later.isEmpty()) {
      letTheLoopGoOn();
    }
    assertThat(String.join("", read)).isEqualTo(replies(9, 80 * Portions.MOST_KEPT + 8));
  }

  @Test
  void nothingIsReadAfterWhatIsRefused() {
    String bad = replies(1, 5) + "?";
    String behind = replies(5, 5);
    came(bad);
    came(behind);
    assertThat(refused).isEmpty();
    letTheLoopGoOn();
    assertThat(refused).hasSize(1);
    assertThat(dropped).containsExactly(bad, behind);
    assertThat(read).containsExactly(replies(1, 4));
    assertThat(later).isEmpty();
    portions.ended();
    assertThat(read).hasSize(1);
  }
}
