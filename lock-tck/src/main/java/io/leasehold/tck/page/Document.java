package io.leasehold.tck.page;

/** One of the JSON documents that a page is made of, checked for what the page relies on. */
final class Document {

  /** What a document can be. */
  enum Kind {
    REPORT,
    CAMPAIGN,
    TIMELINE
  }

  private final String name;
  private final Kind kind;
  private final String json;
  private final Members members;

  private Document(String name, Kind kind, String json, Members members) {
    this.name = name;
    this.kind = kind;
    this.json = json;
    this.members = members;
  }

  /**
   * Reads a document, and tells what it is.
   *
   * @throws IllegalArgumentException when it is none that a page knows; the message begins with its
   *     name
   */
  static Document of(String name, String json) {
    try {
      Members members = Members.of(Json.read(json));
      Kind kind = kind(members);
      switch (kind) {
        case REPORT -> report(members);
        case CAMPAIGN -> campaign(members);
        case TIMELINE -> timeline(members);
      }
      return new Document(name, kind, json, members);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  String name() {
    return name;
  }

  Kind kind() {
    return kind;
  }

  boolean isReport() {
    return kind == Kind.REPORT;
  }

  boolean isCampaign() {
    return kind == Kind.CAMPAIGN;
  }

  /** A text of the document that {@link #of} has made sure of. */
  String text(String key) {
    return members.text(key);
  }

  /** Of a report: whether it is a certificate. */
  boolean certified() {
    return members.flag("certified");
  }

  /** The document, with nothing in it that could end the element it stands in. */
  String embedded() {
    return json.strip()
        .replace("<", "\\u003c") // only strings can have it
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  private static Kind kind(Members members) {
    if (members.has("requirements")) {
      return Kind.REPORT;
    } else if (members.has("runs")) {
      return Kind.CAMPAIGN;
    } else if (members.has("lanes")) {
      return Kind.TIMELINE;
    }
    throw new IllegalArgumentException(
        "neither a report (with \"requirements\"), nor a campaign (\"runs\"), nor a time line"
            + " (\"lanes\")");
  }

  private static void report(Members report) {
    for (String key : new String[] {"subject", "provider", "level", "seed", "kit", "jdk", "os"}) {
      report.text(key);
    }
    report.instant("started");
    report.number("tookMillis");
    boolean prevented = false;
    for (Members result : report.list("requirements")) {
      boolean must = result.oneOf("level", "MUST", "SHOULD").equals("MUST");
      String status =
          result.oneOf("status", "PASSED", "FAILED", "SKIPPED", "NOT_RUN", "UNTESTABLE");
      prevented |= must && (status.equals("FAILED") || status.equals("NOT_RUN"));
      result.text("id");
      result.text("text");
      result.texts("checks");
      result.texts("findings");
      result.optionalText("reason");
      result.optionalText("seed");
    }
    if (report.flag("certified") == prevented) {
      throw new IllegalArgumentException(
          prevented
              ? "\"certified\" is true, though a MUST failed or was not run"
              : "\"certified\" is false, though every MUST that was asked for passed");
    }
  }

  private static void campaign(Members campaign) {
    totals(campaign);
    campaign.text("kit");
    campaign.count("violations");
    for (Members run : campaign.list("runs")) {
      totals(run);
      for (String key : new String[] {"name", "provider", "topology", "guard", "seed"}) {
        run.text(key);
      }
      run.count("refusals");
      run.count("losses");
      run.texts("violations");
      run.oneOf("expect", "none", "race", "any");
    }
  }

  private static void totals(Members totals) {
    totals.instant("started");
    totals.number("tookMillis");
    totals.count("operations");
    totals.count("grants");
    totals.counts("faults");
  }

  private static void timeline(Members timeline) {
    timeline.text("name");
    timeline.text("seed");
    timeline.text("title");
    double end = timeline.number("millis");
    for (Members lane : timeline.list("lanes")) {
      lane.text("process");
      for (Members span : lane.list("spans")) {
        span.oneOf("what", "waiting", "held", "lost");
        span.oneOf("kind", "mutex", "read", "write", "permit");
        span.text("lock");
        span.optionalText("token");
        span.optionalFlag("killed");
        within(span, end);
      }
    }
    for (Members fault : timeline.list("faults")) {
      fault.text("kind");
      fault.text("target");
      within(fault, end);
    }
  }

  private static void within(Members span, double end) {
    double from = span.number("from");
    double to = span.number("to");
    if (from < 0 || from > to || to > end) {
      throw new IllegalArgumentException(
          "from " + from + " to " + to + " is no part of the window of " + end + " ms");
    }
  }

  @Override
  public String toString() {
    return name + " (" + kind + ")";
  }
}
