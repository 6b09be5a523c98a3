package io.leasehold.tck;

/** How much a certificate says. */
public enum CertificationLevel {
  /** Everything that can be tested with servers that work. */
  CORE("Core"),
  /** Core, and what can be tested only with servers that fail. */
  FAULT_TESTED("Fault-tested");

  private final String title;

  CertificationLevel(String title) {
    this.title = title;
  }

  /** For a person. */
  public String title() {
    return title;
  }
}
