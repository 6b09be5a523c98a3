package io.leasehold.redis;

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
    byte[][] words = new byte[keys.size() + args.length][];
    for (int i = 0; i < words.length; i++) {
      words[i] = i < keys.size() ? name.get(keys.get(i)) : ScriptCall.word(args[i - keys.size()]);
    }
    return new ScriptCall(script, keys.size(), words);
  }
}
