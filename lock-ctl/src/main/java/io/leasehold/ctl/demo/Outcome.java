package io.leasehold.ctl.demo;

import io.leasehold.ctl.Signs;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How one part of the demo ended.
 *
 * @param tried what was tried
 * @param promised whether every cent is promised to add up
 * @param grabs how often somebody grabbed
 * @param putIn cents that were in the packet
 * @param grabbed cents that people have
 * @param left cents that are still in the packet
 * @param shown whether the part showed what it is for, besides the sum
 * @param note what else there is to say
 */
record Outcome(
    String tried,
    boolean promised,
    long grabs,
    long putIn,
    long grabbed,
    long left,
    boolean shown,
    String note) {

  static final List<String> HEAD =
      List.of("", "GRABS", "PUT IN", "GRABBED", "LEFT", "DIFFERENCE", "");

  /** Money that came out of nowhere; negative when it is gone. */
  long difference() {
    return grabbed + left - putIn;
  }

  /** Whether it ended as it should: sound where that is promised, and with harm where it is not. */
  boolean asExpected() {
    return shown && promised == (difference() == 0);
  }

  String verdict() {
    if (promised) {
      return asExpected()
          ? Signs.shown("✓ every cent adds up")
          : Signs.shown("✗ THE PROMISE IS BROKEN");
    }
    if (difference() == 0) {
      return "? no harm this time, by luck";
    }
    return difference() > 0 ? "money made, as was to be shown" : "money lost, as was to be shown";
  }

  List<String> row() {
    return List.of(
        tried,
        Long.toString(grabs),
        money(putIn),
        money(grabbed),
        money(left),
        (difference() > 0 ? "+" : "") + money(difference()),
        verdict() + (note.isEmpty() ? "" : "; " + note));
  }

  Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("tried", tried);
    members.put("promised", promised);
    members.put("grabs", grabs);
    members.put("putInCents", putIn);
    members.put("grabbedCents", grabbed);
    members.put("leftCents", left);
    members.put("differenceCents", difference());
    members.put("asExpected", asExpected());
    members.put("note", note);
    return members;
  }

  static String money(long cents) {
    return String.format(
        Locale.ROOT,
        "%s%s%d.%02d",
        cents < 0 ? "-" : "",
        Signs.shown("¥"),
        Math.abs(cents) / 100,
        Math.abs(cents) % 100);
  }
}
