package io.leasehold.redis;

import java.util.List;

/**
 * A command that is no more than that.
 *
 * @param name its name
 * @param args its arguments
 */
record PlainCommand(String name, List<byte[]> args) implements RedisCommand {

  /** Without arguments: passwords and owner ids are among them. */
  @Override
  public String toString() {
    return "RedisCommand[" + name + "]";
  }
}
