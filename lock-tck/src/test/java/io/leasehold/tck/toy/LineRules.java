package io.leasehold.tck.toy;

import io.leasehold.spi.GrantRequest;
import java.util.List;

/**
 * The rules that the toy's fair lines keep. A flaw is another rule in the place of one of these.
 */
public class LineRules {

  /** The right rules. */
  public LineRules() {}

  /** Where a new place goes. */
  public <P> void enter(List<P> line, P place) {
    line.add(place);
  }

  /** What becomes of a place whose call asks again. */
  public <P> void askedAgain(List<P> line, P place) {}

  /** Whether a place is kept whose call comes when it is its turn, and cannot be served. */
  public boolean keepsWhoIsRefused() {
    return true;
  }

  /** Whether somebody who asks must wait for its turn. */
  public boolean sees(GrantRequest request) {
    return true;
  }

  /** Whether a turn that nobody takes ends. */
  public boolean turnsEnd() {
    return true;
  }

  /** Whether a client that lets its turn pass loses all of its places, not the one. */
  public boolean allAreLost() {
    return true;
  }

  /** Whether the places of a client that is gone are passed over. */
  public boolean passesOverWhoIsGone() {
    return true;
  }

  /** Whether a place can be given up. */
  public boolean placesEnd() {
    return true;
  }
}
