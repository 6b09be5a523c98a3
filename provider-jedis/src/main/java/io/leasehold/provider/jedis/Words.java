package io.leasehold.provider.jedis;

import io.leasehold.redis.RedisCommand;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.args.Rawable;
import redis.clients.jedis.commands.ProtocolCommand;

/**
 * A command as Jedis sends it: the words as they are, with nothing wrapped around each of them. For
 * one thread, and to be sent before it is used again.
 */
final class Words extends CommandArguments {
  private static final String SCRIPT = "EVALSHA";

  private final Walk walk = new Walk();
  private List<byte[]> args = List.of();

  /** Calls of scripts, one after the other. */
  Words() {
    super(named(SCRIPT));
  }

  Words(RedisCommand command) {
    super(named(command.name()));
    this.args = command.args();
  }

  static boolean isScript(RedisCommand command) {
    return command.name().equals(SCRIPT);
  }

  Words saying(List<byte[]> next) {
    args = next;
    return this;
  }

  private static ProtocolCommand named(String text) {
    byte[] name = text.getBytes(StandardCharsets.US_ASCII);
    return () -> name;
  }

  @Override
  public int size() {
    return 1 + args.size();
  }

  @Override
  public Iterator<Rawable> iterator() {
    walk.next = 0;
    return walk;
  }

  /** Both the iterator and what it gives: whoever sends looks at one word at a time. */
  private final class Walk implements Iterator<Rawable>, Rawable {
    private int next;

    @Override
    public boolean hasNext() {
      return next < size();
    }

    @Override
    public Rawable next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return next++ == 0 ? getCommand() : this;
    }

    @Override
    public byte[] getRaw() {
      return args.get(next - 2);
    }
  }
}
