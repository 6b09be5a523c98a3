package io.leasehold.tck.history;

/** The words of the format. */
final class Words {
  static final String HEADER = "history";
  static final String VERSION = "1";

  static final String OPEN = "open";
  static final String ACQUIRE = "acquire";
  static final String DOWNGRADE = "downgrade";
  static final String GRANTED = "granted";
  static final String REFUSED = "refused";
  static final String HELD = "held";
  static final String ENDED = "ended";
  static final String LOST = "lost";
  static final String RELEASE = "release";
  static final String RELEASED = "released";
  static final String FORCE = "force";
  static final String FORCED = "forced";
  static final String CLOSE = "close";
  static final String CLOSED = "closed";
  static final String FAULT = "fault";
  static final String HEALED = "healed";
  static final String NOTE = "note";

  /** In the place of a token, or of a validity, that is not known. */
  static final String NONE = "-";

  /** In the place of the validity of a lease that answered that it is over. */
  static final String OVER = "over";

  private Words() {}
}
