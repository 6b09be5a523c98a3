package io.leasehold.redis;

import java.util.ArrayList;
import java.util.List;

/**
 * A script, and which keys of a name it takes.
 *
 * @param script the script
 * @param keys in the order of its contract
 */
record Operation(Script script, List<Key> keys) {

  Operation(Script script, Key... keys) {
    this(script, List.of(keys));
  }

  /** The call of the script for a name. */
  ScriptCall on(LockKeys name, Object... args) {
    return script.call(of(name), args);
  }

  /** The keys of a name. */
  List<byte[]> of(LockKeys name) {
    List<byte[]> all = new ArrayList<>(keys.size());
    for (Key key : keys) {
      all.add(name.get(key));
    }
    return all;
  }
}
