package io.leasehold.redis;

import static io.leasehold.redis.Key.FENCE;
import static io.leasehold.redis.Key.FENCE_BEFORE;
import static io.leasehold.redis.Key.FORCED;
import static io.leasehold.redis.Key.FORCED_PERMITS;
import static io.leasehold.redis.Key.FORCED_READERS;
import static io.leasehold.redis.Key.FORCED_WRITER;
import static io.leasehold.redis.Key.GUARD;
import static io.leasehold.redis.Key.HOLDERS;
import static io.leasehold.redis.Key.LOCK;
import static io.leasehold.redis.Key.PENDING;
import static io.leasehold.redis.Key.PERMITS_FENCE;
import static io.leasehold.redis.Key.PERMITS_WAITERS;
import static io.leasehold.redis.Key.READERS;
import static io.leasehold.redis.Key.READING;
import static io.leasehold.redis.Key.RW_FENCE;
import static io.leasehold.redis.Key.TURN;
import static io.leasehold.redis.Key.WAITERS;
import static io.leasehold.redis.Key.WRITER;
import static io.leasehold.redis.Key.WRITING;

import java.util.List;

/**
 * The kinds of lock, and the scripts of each. A client that waits is woken with a topic: the name
 * of a plain lock, and otherwise the key of the line, which no plain lock's name can be.
 */
@SuppressWarnings("ImmutableEnumChecker") // operations are immutable
enum Kind {
  PLAIN(
      WAITERS,
      new Operation(Script.GRANT, LOCK, FENCE),
      new Operation(Script.RAISE, LOCK, FENCE, GUARD),
      new Operation(Script.RELEASE, LOCK, WAITERS, TURN, FORCED),
      Script.FORCE,
      new Operation(Script.EXTEND, LOCK, FORCED, FENCE),
      new Operation(Script.INSPECT, LOCK, FENCE, WAITERS),
      new Operation(Script.WAKE, LOCK, WAITERS, TURN)),

  READ(
      READING,
      new Operation(
          Script.READ,
          List.of(READERS, RW_FENCE, GUARD, READING, WRITER, PENDING, WRITING, FENCE_BEFORE)),
      new Operation(Script.RAISE_READ, READERS, RW_FENCE, GUARD, FENCE_BEFORE),
      new Operation(Script.END_READ, READERS, READING, FORCED_READERS, WRITER, WRITING, PENDING),
      Script.FORCE_READ,
      new Operation(Script.EXTEND_SHARE, READERS, FORCED_READERS, RW_FENCE),
      new Operation(Script.INSPECT_SHARES, READERS, RW_FENCE, READING),
      new Operation(Script.PASS_ON, WRITER, READERS, WRITING, READING, PENDING)),

  WRITE(
      WRITING,
      new Operation(Script.WRITE, WRITER, RW_FENCE, GUARD, WRITING, READERS, PENDING, READING),
      new Operation(Script.RAISE, WRITER, RW_FENCE, GUARD),
      new Operation(Script.END_WRITE, WRITER, WRITING, FORCED_WRITER, READING, PENDING),
      Script.FORCE_WRITE,
      new Operation(Script.EXTEND, WRITER, FORCED_WRITER, RW_FENCE),
      new Operation(Script.INSPECT, WRITER, RW_FENCE, WRITING),
      new Operation(Script.PASS_ON, WRITER, READERS, WRITING, READING, PENDING)),

  PERMIT(
      PERMITS_WAITERS,
      new Operation(Script.PERMIT, HOLDERS, PERMITS_FENCE, GUARD, PERMITS_WAITERS),
      new Operation(Script.RAISE_SHARE, HOLDERS, PERMITS_FENCE, GUARD),
      new Operation(Script.END_PERMIT, HOLDERS, PERMITS_WAITERS, FORCED_PERMITS),
      Script.FORCE_PERMIT,
      new Operation(Script.EXTEND_SHARE, HOLDERS, FORCED_PERMITS, PERMITS_FENCE),
      new Operation(Script.INSPECT_SHARES, HOLDERS, PERMITS_FENCE, PERMITS_WAITERS),
      new Operation(Script.PASS_PERMIT, PERMITS_WAITERS));

  /** What makes a writer a reader. */
  static final Operation DOWNGRADE =
      new Operation(
          Script.DOWNGRADE,
          List.of(
              READERS,
              RW_FENCE,
              GUARD,
              WRITER,
              FORCED_WRITER,
              WRITING,
              READING,
              PENDING,
              FENCE_BEFORE));

  final Key line;
  final Operation grant;
  final Operation raise;
  final Operation release;
  final Operation force;
  final Operation extend;
  final Operation inspect;
  private final Operation passOn;

  /**
   * @param line where its clients wait
   * @param force takes the same keys as the script that releases
   * @param passOn for a client that was woken, and wants nothing any more
   */
  Kind(
      Key line,
      Operation grant,
      Operation raise,
      Operation release,
      Script force,
      Operation extend,
      Operation inspect,
      Operation passOn) {
    this.line = line;
    this.grant = grant;
    this.raise = raise;
    this.release = release;
    this.force = new Operation(force, release.keys());
    this.extend = extend;
    this.inspect = inspect;
    this.passOn = passOn;
  }

  /** The kind to which a topic belongs. */
  static Kind of(String topic) {
    for (Kind kind : List.of(READ, WRITE, PERMIT)) {
      if (topic.startsWith(kind.line.prefix())) {
        return kind;
      }
    }
    return PLAIN;
  }

  /** With what those who wait for a name are woken. */
  String topic(String name, LockKeys keys) {
    return this == PLAIN ? name : keys.text(line);
  }

  /** The name to which a topic of this kind belongs. */
  String name(String topic) {
    return this == PLAIN ? topic : LockKeys.nameOf(topic);
  }

  ScriptCall passOn(LockKeys keys, byte[] client) {
    return switch (this) {
      case READ -> passOn.on(keys, client, "read");
      case WRITE -> passOn.on(keys, client, "write");
      case PLAIN, PERMIT -> passOn.on(keys, client);
    };
  }
}
