package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.tck.history.Acquisition;
import io.leasehold.tck.history.History;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Some seconds of a run, for a picture: who waited, who held, who lost, and what was done. */
final class Timeline {
  private static final long MILLIS = 12_000;
  private static final long STEP = 2_000;
  private static final int MOST_LANES = 12;
  private static final int MOST_SPANS = 600;
  private static final double SHORTEST = 12;

  /** Something that one call went through, in milliseconds from the beginning of the window. */
  private record Span(
      String process,
      String what,
      String lock,
      String kind,
      double from,
      double to,
      String token,
      boolean killed) {

    double length() {
      return to - from;
    }
  }

  /** Something that was done, likewise. */
  private record Mark(String kind, String target, double from, double to) {}

  private final List<Span> spans;
  private final List<Mark> marks;

  private Timeline(List<Span> spans, List<Mark> marks) {
    this.spans = spans;
    this.marks = marks;
  }

  /** Puts the best window of a run into a file, if it shows more than the one that is there. */
  static void offer(Path file, RunResult result, Path folder) throws IOException {
    History history = History.readFolder(folder);
    if (history.calls().isEmpty() || history.faults().isEmpty()) {
      return;
    }
    long first = history.faults().get(0).fromNanos();
    long last = history.calls().get(history.calls().size() - 1).calledNanos();
    Timeline best = new Timeline(List.of(), List.of());
    for (long at = first - STEP * 1_000_000; at < last; at += STEP * 1_000_000) {
      Timeline here = window(history, at);
      best = here.interest() > best.interest() ? here : best;
    }
    if (best.interest() > interestOf(file)) {
      Files.writeString(file, Json.write(best.toJson(result)) + "\n", UTF_8);
    }
  }

  private static double interestOf(Path file) throws IOException {
    return Files.exists(file)
            && Json.readObject(Files.readString(file)).get("interest") instanceof Number number
        ? number.doubleValue()
        : 0;
  }

  private static Timeline window(History history, long from) {
    long to = from + MILLIS * 1_000_000;
    List<Span> spans = new ArrayList<>();
    for (Acquisition call : history.calls()) {
      if (call.calledNanos() < to && LockNames.isShared(call.locks().get(0))) {
        add(spans, call, from, to);
      }
    }
    List<Mark> marks =
        history.faults().stream()
            .filter(fault -> fault.fromNanos() >= from && fault.fromNanos() < to)
            .map(
                fault ->
                    new Mark(
                        fault.kind(),
                        fault.target(),
                        millis(fault.fromNanos(), from),
                        millis(Math.min(fault.toNanos(), to), from)))
            .toList();
    List<Span> longest =
        spans.stream()
            .filter(span -> span.length() >= SHORTEST || span.what().equals("lost"))
            .sorted(Comparator.comparingDouble(Span::length).reversed())
            .limit(MOST_SPANS)
            .toList();
    return new Timeline(longest, marks);
  }

  private static void add(List<Span> spans, Acquisition call, long from, long to) {
    long granted = call.grantedNanos().orElse(Long.MAX_VALUE);
    long returned = Math.min(granted, call.refusedNanos().orElse(Long.MAX_VALUE));
    returned = Math.min(returned, call.killedNanos().orElse(Long.MAX_VALUE));
    add(spans, call, "waiting", call.calledNanos(), returned, from, to);
    if (granted != Long.MAX_VALUE) {
      long lost = call.lostNanos().orElse(Long.MAX_VALUE);
      long until = call.claimedUntilNanos().orElse(granted);
      add(spans, call, "held", granted, Math.min(until, lost), from, to);
      if (lost != Long.MAX_VALUE) {
        add(spans, call, "lost", lost, call.releaseNanos().orElse(lost), from, to);
      }
    }
  }

  private static void add(
      List<Span> spans, Acquisition call, String what, long begin, long end, long from, long to) {
    if (begin < to && end >= from) {
      boolean killed = call.killedNanos().isPresent() && end < to;
      spans.add(
          new Span(
              call.process(),
              what,
              String.join("+", call.locks()),
              call.kind().name().toLowerCase(Locale.ROOT),
              millis(Math.max(begin, from), from),
              Math.max(millis(Math.max(begin, from), from), millis(Math.min(end, to), from)),
              call.token().isPresent() ? Long.toString(call.token().getAsLong()) : "",
              killed));
    }
  }

  private static double millis(long at, long from) {
    return Math.round((at - from) / 10_000.0) / 100.0;
  }

  /** What there is to see: faults of several kinds, waiting, holding, and losses, not a thicket. */
  private double interest() {
    Set<String> kinds = marks.stream().map(Mark::kind).collect(Collectors.toSet());
    long lost = count("lost");
    long held =
        spans.stream().filter(span -> span.what().equals("held") && span.length() > 40).count();
    boolean servers = marks.stream().anyMatch(mark -> mark.target().matches("(server|node).*"));
    return Math.min(kinds.size(), 6) * 20.0
        + Math.min(lost, 6) * 15
        + (servers ? 30 : 0)
        + Math.min(held, 40) * 4
        + Math.min(count("waiting"), 40)
        - Math.max(0, spans.size() - 250) * 0.5;
  }

  private long count(String what) {
    return spans.stream().filter(span -> span.what().equals(what)).count();
  }

  private Map<String, Object> toJson(RunResult result) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", result.name());
    json.put("seed", result.seed());
    json.put("title", title(result));
    json.put("millis", MILLIS);
    json.put("interest", interest());
    json.put("lanes", lanes());
    json.put(
        "faults",
        marks.stream()
            .map(
                mark -> {
                  Map<String, Object> fault = new LinkedHashMap<>();
                  fault.put("kind", mark.kind());
                  fault.put("target", mark.target());
                  fault.put("from", mark.from());
                  fault.put("to", mark.to());
                  return fault;
                })
            .toList());
    return json;
  }

  private String title(RunResult result) {
    String kinds =
        marks.stream().map(Mark::kind).distinct().limit(4).collect(Collectors.joining(", "));
    return "%d seconds of %s: %s".formatted(MILLIS / 1_000, result.name(), kinds);
  }

  /** Calls of a process that go on at the same time lie in lanes of their own. */
  private List<Map<String, Object>> lanes() {
    Map<String, List<Span>> byProcess =
        spans.stream()
            .sorted(Comparator.comparingDouble(Span::from))
            .collect(Collectors.groupingBy(Span::process, TreeMap::new, Collectors.toList()));
    int each = MOST_LANES / Math.max(1, Math.min(MOST_LANES, byProcess.size()));
    List<Map<String, Object>> lanes = new ArrayList<>();
    byProcess.forEach(
        (process, all) -> {
          List<List<Span>> own = new ArrayList<>();
          for (Span span : all) {
            place(span, own, each);
          }
          own.forEach(lane -> lanes.add(lane(process, lane)));
        });
    return lanes.subList(0, Math.min(MOST_LANES, lanes.size()));
  }

  private static void place(Span span, List<List<Span>> lanes, int most) {
    for (List<Span> lane : lanes) {
      if (lane.get(lane.size() - 1).to() <= span.from()) {
        lane.add(span);
        return;
      }
    }
    if (lanes.size() < most) {
      lanes.add(new ArrayList<>(List.of(span)));
    }
  }

  private static Map<String, Object> lane(String process, List<Span> spans) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("process", process);
    json.put(
        "spans",
        spans.stream()
            .map(
                span -> {
                  Map<String, Object> one = new LinkedHashMap<>();
                  one.put("what", span.what());
                  one.put("lock", span.lock());
                  one.put("kind", span.kind());
                  one.put("from", span.from());
                  one.put("to", span.to());
                  if (!span.token().isEmpty()) {
                    one.put("token", span.token());
                  }
                  if (span.killed()) {
                    one.put("killed", true);
                  }
                  return one;
                })
            .toList());
    return json;
  }
}
