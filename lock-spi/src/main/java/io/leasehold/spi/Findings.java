package io.leasehold.spi;

import java.util.List;

/**
 * A capability of a node: what it noticed about its servers, and about the settings of their other
 * clients, that weakens its promises. Each finding is logged once, too.
 */
public interface Findings {

  /** What was noticed until now; each id at most once. */
  List<Finding> findings();

  /**
   * Something that weakens a promise.
   *
   * @param id the id by which {@code docs/errors.md} lists it
   * @param text what was found and what to do about it; never contains a secret
   */
  record Finding(String id, String text) {}
}
