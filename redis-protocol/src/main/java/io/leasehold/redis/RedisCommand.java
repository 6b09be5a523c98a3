package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One command, as it goes over the wire.
 *
 * @param name its name, in capitals; the words of a container command follow as arguments
 * @param args its arguments
 */
public record RedisCommand(String name, List<byte[]> args) {

  /** A command whose arguments are texts or {@code byte[]}s. */
  public static RedisCommand of(String name, Object... args) {
    List<byte[]> bytes = new ArrayList<>(args.length);
    for (Object arg : args) {
      bytes.add(arg instanceof byte[] raw ? raw : arg.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new RedisCommand(name, bytes);
  }

  /** Without arguments: passwords and owner ids are among them. */
  @Override
  public String toString() {
    return "RedisCommand[" + name + "]";
  }
}
