package io.leasehold.redis;

import java.util.Arrays;
import java.util.List;

/** One EVALSHA: the digest of the script, the number of keys, the keys, the arguments. */
final class ScriptCall implements RedisCommand {
  private static final int FIRST_KEY = 2;

  private final Script script;
  private final int keys;
  private final byte[][] words;

  private ScriptCall(Script script, int keys, byte[][] words) {
    this.script = script;
    this.keys = keys;
    this.words = words;
  }

  /**
   * @param keys all that the script touches, at least one; all in the same cluster slot unless the
   *     server is known not to be a cluster
   * @param args bytes, numbers and texts
   */
  ScriptCall(Script script, byte[][] keys, Object... args) {
    this(script, keys.length, new byte[FIRST_KEY + keys.length + args.length][]);
    words[0] = script.sha1Bytes();
    words[1] = Ascii.of(keys.length);
    System.arraycopy(keys, 0, words, FIRST_KEY, keys.length);
    for (int i = 0; i < args.length; i++) {
      words[FIRST_KEY + keys.length + i] =
          args[i] instanceof byte[] bytes ? bytes : Requests.bytes(args[i].toString());
    }
  }

  Script script() {
    return script;
  }

  /** The key that decides which server is asked. */
  byte[] routingKey() {
    return words[FIRST_KEY];
  }

  /**
   * The same call on the lock's key alone, which stands for its companions too. For a script that
   * has no need of them: while a slot moves, a call whose keys do not all exist is refused unless
   * it has only one.
   */
  ScriptCall alone() {
    byte[][] alone = words.clone();
    Arrays.fill(alone, FIRST_KEY, FIRST_KEY + keys, routingKey());
    return new ScriptCall(script, keys, alone);
  }

  /** The same call with more keys behind its keys, and more arguments behind its arguments. */
  ScriptCall with(List<byte[]> moreKeys, byte[]... moreArgs) {
    int behind = FIRST_KEY + keys;
    byte[][] all = Arrays.copyOf(words, words.length + moreKeys.size() + moreArgs.length);
    System.arraycopy(words, behind, all, behind + moreKeys.size(), words.length - behind);
    for (int i = 0; i < moreKeys.size(); i++) {
      all[behind + i] = moreKeys.get(i);
    }
    System.arraycopy(moreArgs, 0, all, all.length - moreArgs.length, moreArgs.length);
    all[1] = Ascii.of(keys + moreKeys.size());
    return new ScriptCall(script, keys + moreKeys.size(), all);
  }

  @Override
  public String name() {
    return "EVALSHA";
  }

  @Override
  public List<byte[]> args() {
    return Arrays.asList(words);
  }

  /** Without keys and arguments: owner ids do not belong into logs. */
  @Override
  public String toString() {
    return "ScriptCall[" + script.sha1() + "]";
  }
}
