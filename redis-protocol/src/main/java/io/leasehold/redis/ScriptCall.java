package io.leasehold.redis;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/**
 * One EVALSHA. As a list, it is the words behind that one: the digest of the script, the number of
 * keys, the keys, the arguments. One object, because each lock call makes one.
 */
final class ScriptCall extends AbstractList<byte[]> implements RedisCommand, RandomAccess {
  private final Script script;
  private final int keys;
  private final byte[][] words;

  /**
   * @param keys how many of the words are keys: all that the script touches, at least one; all in
   *     the same cluster slot unless the server is known not to be a cluster
   * @param words the keys, and then the arguments; kept as they are
   */
  ScriptCall(Script script, int keys, byte[]... words) {
    this.script = script;
    this.keys = keys;
    this.words = words;
  }

  /** An argument: bytes, a number or a text. */
  static byte[] word(Object arg) {
    return arg instanceof byte[] bytes ? bytes : Requests.bytes(arg.toString());
  }

  Script script() {
    return script;
  }

  /** The key that decides which server is asked. */
  byte[] routingKey() {
    return words[0];
  }

  /**
   * The same call on the lock's key alone, which stands for its companions too. For a script that
   * has no need of them: while a slot moves, a call whose keys do not all exist is refused unless
   * it has only one.
   */
  ScriptCall alone() {
    byte[][] alone = words.clone();
    Arrays.fill(alone, 0, keys, routingKey());
    return new ScriptCall(script, keys, alone);
  }

  /** The same call with more keys behind its keys, and more arguments behind its arguments. */
  ScriptCall with(List<byte[]> moreKeys, byte[]... moreArgs) {
    byte[][] all = Arrays.copyOf(words, words.length + moreKeys.size() + moreArgs.length);
    System.arraycopy(words, keys, all, keys + moreKeys.size(), words.length - keys);
    for (int i = 0; i < moreKeys.size(); i++) {
      all[keys + i] = moreKeys.get(i);
    }
    System.arraycopy(moreArgs, 0, all, all.length - moreArgs.length, moreArgs.length);
    return new ScriptCall(script, keys + moreKeys.size(), all);
  }

  @Override
  public String name() {
    return "EVALSHA";
  }

  @Override
  public List<byte[]> args() {
    return this;
  }

  @Override
  public byte[] get(int index) {
    return switch (index) {
      case 0 -> script.sha1Bytes();
      case 1 -> Ascii.of(keys);
      default -> words[index - 2];
    };
  }

  @Override
  public int size() {
    return words.length + 2;
  }

  /** Without keys and arguments: owner ids do not belong into logs. */
  @Override
  public String toString() {
    return "ScriptCall[" + script.sha1() + "]";
  }
}
