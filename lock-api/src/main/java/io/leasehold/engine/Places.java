package io.leasehold.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The places of one line, in their order. They are linked to each other: a line of one, which most
 * are, costs next to nothing, and whoever leaves one of thousands need not be looked for. Guarded
 * by the line.
 */
final class Places {
  private @Nullable Place first;
  private @Nullable Place last;

  @Nullable Place first() {
    return first;
  }

  boolean isEmpty() {
    return first == null;
  }

  void addLast(Place place) {
    place.before = last;
    if (last == null) {
      first = place;
    } else {
      last.behind = place;
    }
    last = place;
  }

  /** Takes a place out. Nothing happens to one that is not there. */
  void remove(Place place) {
    Place before = place.before;
    Place behind = place.behind;
    if (before == null && first != place) {
      return;
    }
    if (before == null) {
      first = behind;
    } else {
      before.behind = behind;
    }
    if (behind == null) {
      last = before;
    } else {
      behind.before = before;
    }
    place.before = null;
    place.behind = null;
  }

  List<Place> all() {
    List<Place> all = new ArrayList<>();
    for (Place place = first; place != null; place = place.behind) {
      all.add(place);
    }
    return all;
  }
}
