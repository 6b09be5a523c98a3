package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One EVALSHA.
 *
 * @param sha1 the digest of the script, in hexadecimal
 * @param keys all keys that the script touches, at least one; all in the same cluster slot unless
 *     the server is known not to be a cluster
 * @param args the arguments
 */
record ScriptCall(String sha1, List<byte[]> keys, List<byte[]> args) {

  /** The key that decides which server is asked. */
  byte[] routingKey() {
    return keys.get(0);
  }

  /**
   * The same call on the lock's key alone, which stands for its companions too. For a script that
   * has no need of them: while a slot moves, a call whose keys do not all exist is refused unless
   * it has only one.
   */
  ScriptCall alone() {
    return new ScriptCall(sha1, Collections.nCopies(keys.size(), routingKey()), args);
  }

  /** As it goes over the wire. */
  RedisCommand command() {
    List<byte[]> words = new ArrayList<>(keys.size() + args.size() + 2);
    words.add(sha1.getBytes(StandardCharsets.US_ASCII));
    words.add(Integer.toString(keys.size()).getBytes(StandardCharsets.US_ASCII));
    words.addAll(keys);
    words.addAll(args);
    return new RedisCommand("EVALSHA", words);
  }

  /** Without keys and arguments: owner ids are nobody else's business. */
  @Override
  public String toString() {
    return "ScriptCall[" + sha1 + "]";
  }
}
