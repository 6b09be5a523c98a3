package io.leasehold.ctl.doctor;

import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Signs;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All that was found.
 *
 * @param sections servers first, then what they form
 */
record Report(List<Section> sections) {
  /** What makes locks unsafe was found. */
  static final int BAD = 2;

  private static final int ID_WIDTH =
      Stream.of(Check.values()).mapToInt(check -> check.id().length()).max().orElse(0) + 2;

  private Stream<Finding> findings() {
    return sections.stream().flatMap(section -> section.findings().stream());
  }

  long count(Verdict verdict) {
    return findings().filter(finding -> finding.verdict() == verdict).count();
  }

  Verdict worst() {
    return findings().map(Finding::verdict).max(Comparator.naturalOrder()).orElse(Verdict.UNKNOWN);
  }

  /** Whether no server could be asked anything. */
  boolean nobodyAnswered() {
    return findings().allMatch(finding -> finding.check() == Check.REACH) && worst() == Verdict.BAD;
  }

  /**
   * As {@code docs/doctor.md} has it.
   *
   * @param strict whether what is not as it should be is as bad as it gets
   */
  int exitCode(boolean strict) {
    if (nobodyAnswered()) {
      return ExitCodes.UNAVAILABLE;
    }
    return switch (worst()) {
      case OK -> ExitCodes.OK;
      case UNKNOWN, WARN -> strict ? BAD : ExitCodes.NO;
      case BAD -> BAD;
    };
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Section section : sections) {
      lines.add("");
      lines.add(section.about() + "  " + section.title());
      for (Finding finding : section.findings()) {
        String id = finding.check().id();
        String sign = Signs.shown(finding.verdict().sign());
        lines.add("  " + sign + " " + id + " ".repeat(ID_WIDTH - id.length()) + finding.text());
        String indent = " ".repeat(3 + sign.length() + ID_WIDTH);
        finding
            .fix()
            .ifPresent(
                fix ->
                    lines.add(
                        indent + Signs.shown("→ ") + fix + "  [" + finding.check().page() + "]"));
      }
    }
    lines.add("");
    lines.add(
        String.join(
            ", ",
            count(Verdict.OK) + " ok",
            count(Verdict.WARN) + " to think about",
            count(Verdict.BAD) + " bad",
            count(Verdict.UNKNOWN) + " unknown"));
    return lines;
  }

  Map<String, Object> json() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("verdict", worst().label());
    for (Verdict verdict : Verdict.values()) {
      members.put(verdict.label(), count(verdict));
    }
    members.put("sections", sections.stream().map(Section::json).toList());
    return members;
  }
}
