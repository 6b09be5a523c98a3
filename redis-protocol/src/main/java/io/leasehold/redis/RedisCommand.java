package io.leasehold.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One command, as it goes over the wire. Its text shows no arguments: secrets are among them. */
public interface RedisCommand {

  /** Its name, in capitals; the words of a container command follow as arguments. */
  String name();

  /** Its arguments. */
  List<byte[]> args();

  /** A command whose arguments are texts or {@code byte[]}s. */
  static RedisCommand of(String name, Object... args) {
    record Plain(String name, List<byte[]> args) implements RedisCommand {
      @Override
      public String toString() {
        return "RedisCommand[" + name + "]";
      }
    }

    List<byte[]> bytes = new ArrayList<>(args.length);
    for (Object arg : args) {
      bytes.add(arg instanceof byte[] raw ? raw : arg.toString().getBytes(StandardCharsets.UTF_8));
    }
    return new Plain(name, bytes);
  }
}
