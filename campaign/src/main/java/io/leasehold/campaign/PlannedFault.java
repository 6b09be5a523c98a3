package io.leasehold.campaign;

/**
 * One fault of a plan.
 *
 * @param atMillis when it begins, counted from the beginning of the plan
 * @param kind what is done
 * @param pick whom it is done to: any number, of which a topology takes what it needs
 * @param forMillis after which time it is healed
 */
record PlannedFault(long atMillis, FaultKind kind, int pick, long forMillis) {

  @Override
  public String toString() {
    return "%7d ms  %-22s #%-10d for %d ms".formatted(atMillis, kind.id(), pick, forMillis);
  }
}
