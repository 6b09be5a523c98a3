package io.leasehold.spi;

/** The configuration errors, each with an id that {@code docs/errors.md} explains. */
public enum ErrorCode {
  /** Not a lock URL. */
  MALFORMED_URL("LH-101"),
  /** An option key that nobody understands, or not this provider. */
  UNKNOWN_OPTION("LH-102"),
  /** The same option key twice. */
  REPEATED_OPTION("LH-103"),
  /** An option with a value that it cannot have. */
  BAD_VALUE("LH-104"),
  /** No provider on the class path takes the URL. */
  NO_PROVIDER("LH-105"),
  /** More than one provider would take the URL. */
  SEVERAL_PROVIDERS("LH-106"),
  /** The lock's name cannot be used. */
  BAD_NAME("LH-107"),
  /** The provider cannot do what the URL asks for. */
  UNSUPPORTED("LH-108"),
  /** The provider's jar is broken, or its driver is missing. */
  BROKEN_PROVIDER("LH-109"),
  /** The servers cannot form a quorum: too few, the same one twice, or not independent. */
  BAD_QUORUM("LH-110");

  private final String id;

  ErrorCode(String id) {
    this.id = id;
  }

  /** The id by which {@code docs/errors.md} lists it. */
  public String id() {
    return id;
  }
}
