package io.leasehold.tck.history;

/**
 * Something that must not have happened.
 *
 * @param rule what was broken
 * @param lock the lock's name
 * @param text what happened, with processes, calls, tokens and times, for a person
 * @param atNanos when, on the history's clock
 */
public record Violation(Rule rule, String lock, String text, long atNanos) {

  @Override
  public String toString() {
    return rule + " " + lock + ": " + text;
  }
}
