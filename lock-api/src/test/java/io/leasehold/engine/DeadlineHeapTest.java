package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

class DeadlineHeapTest {

  private static final class Item extends DeadlineHeap.Entry {}

  @RepeatedTest(20)
  void behavesLikeASortedListUnderRandomSteps(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    DeadlineHeap<Item> heap = new DeadlineHeap<>();
    Map<Item, Long> model = new HashMap<>();
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      items.add(new Item());
    }
    for (int step = 0; step < 5_000; step++) {
      Item item = items.get(random.nextInt(items.size()));
      if (random.nextInt(3) == 0) {
        heap.remove(item);
        model.remove(item);
      } else {
        long due = random.nextInt(1_000);
        heap.put(item, due);
        model.put(item, due);
      }
      assertThat(heap.size()).isEqualTo(model.size());
      assertThat(heap.contains(item)).isEqualTo(model.containsKey(item));
      Item first = heap.first();
      if (model.isEmpty()) {
        assertThat(first).isNull();
      } else {
        long least = model.values().stream().min(Comparator.naturalOrder()).orElseThrow();
        assertThat(first).isNotNull();
        assertThat(model.get(first)).isEqualTo(least);
      }
    }
  }
}
