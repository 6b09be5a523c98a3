package io.leasehold.redis;

import java.util.List;

/**
 * One EVALSHA.
 *
 * @param sha1 the digest of the script, in hexadecimal
 * @param keys all keys that the script touches, at least one; all in the same cluster slot unless
 *     the server is known not to be a cluster
 * @param args the arguments
 */
public record ScriptCall(String sha1, List<byte[]> keys, List<byte[]> args) {

  /** The key that decides which server is asked. */
  public byte[] routingKey() {
    return keys.get(0);
  }

  /** Without keys and arguments: owner ids are nobody else's business. */
  @Override
  public String toString() {
    return "ScriptCall[" + sha1 + "]";
  }
}
