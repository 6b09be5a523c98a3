package io.leasehold.testkit.hygiene;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What counts as a leak between two moments.
 *
 * @param watched the classes whose objects are counted one by one
 * @param descriptors how many more there may be that lead to the same
 * @param objects how many more of one watched class, or of a scheduler's tasks, there may be
 * @param heapBytes how many more there may be on the heap
 * @param directBytes how many more there may be outside of it
 * @param classes how many more may be loaded
 */
public record Leaks(
    Predicate<String> watched,
    long descriptors,
    long objects,
    long heapBytes,
    long directBytes,
    long classes) {
  private static final int SHOWN = 12;

  /** Each one a line that names it; a thread more is one in any case. */
  public List<String> between(JvmState before, JvmState after) {
    List<String> leaks = new ArrayList<>();
    add(leaks, "threads ", after.threads().grownSince(before.threads(), 0));
    add(leaks, "descriptors ", after.descriptors().grownSince(before.descriptors(), descriptors));
    add(leaks, "tasks ", after.tasks().grownSince(before.tasks(), objects));
    add(
        leaks,
        "objects ",
        after.objects().only(watched).grownSince(before.objects().only(watched), objects));
    if (after.heapBytes() - before.heapBytes() > heapBytes) {
      leaks.add(
          "heap " + before.heapBytes() + " -> " + after.heapBytes() + ": " + most(before, after));
    }
    if (after.directBytes() - before.directBytes() > directBytes) {
      leaks.add("direct buffers " + before.directBytes() + " -> " + after.directBytes());
    }
    if (after.loadedClasses() - before.loadedClasses() > classes) {
      leaks.add("loaded classes " + before.loadedClasses() + " -> " + after.loadedClasses());
    }
    return leaks;
  }

  private static void add(List<String> leaks, String kind, List<String> grown) {
    grown.forEach(name -> leaks.add(kind + name));
  }

  /** The classes whose objects take most more than before, with how many more there are. */
  public static String most(JvmState before, JvmState after) {
    Tally sizesBefore = before.histogram().sizes();
    Tally objectsBefore = before.objects();
    Tally objectsAfter = after.objects();
    List<Map.Entry<String, Long>> grown = new ArrayList<>();
    after
        .histogram()
        .sizes()
        .counts()
        .forEach((name, bytes) -> grown.add(Map.entry(name, bytes - sizesBefore.count(name))));
    grown.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()));
    List<String> shown =
        grown.stream()
            .limit(SHOWN)
            .filter(each -> each.getValue() > 0)
            .map(
                each ->
                    String.format(
                        Locale.ROOT,
                        "%s +%d B (%+d)",
                        each.getKey(),
                        each.getValue(),
                        objectsAfter.count(each.getKey()) - objectsBefore.count(each.getKey())))
            .toList();
    return String.join(", ", shown);
  }
}
