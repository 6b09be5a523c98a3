package io.leasehold.tck;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A store that does what every store behind a lock must do: it compares the fencing token and
 * records it in one step with the write, and refuses a smaller one than it has seen. Thread-safe.
 */
public final class ReferenceStore {

  private record Cell(String value, long token) {}

  private final Map<String, Cell> cells = new HashMap<>();

  /** An empty store. */
  public ReferenceStore() {}

  /** Writes, unless a larger token was seen for the key; true when it was written. */
  public synchronized boolean write(String key, String value, long token) {
    Cell known = cells.get(key);
    if (known != null && token < known.token) {
      return false;
    }
    cells.put(key, new Cell(value, token));
    return true;
  }

  /** What was written last. */
  public synchronized Optional<String> read(String key) {
    return Optional.ofNullable(cells.get(key)).map(Cell::value);
  }
}
