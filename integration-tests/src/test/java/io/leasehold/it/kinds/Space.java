package io.leasehold.it.kinds;

import java.util.List;
import java.util.stream.Stream;

/**
 * Where an owner can have a claim.
 *
 * @param kind which kind of claim
 * @param name of the lock or semaphore
 */
record Space(Kind kind, String name) {

  enum Kind {
    PLAIN,
    READ,
    WRITE,
    PERMIT
  }

  /** Where a claim keeps another one out of this space; permits are counted instead. */
  List<Space> excluding() {
    return switch (kind) {
      case PLAIN -> List.of(this);
      case READ -> List.of(new Space(Kind.WRITE, name));
      case WRITE -> List.of(new Space(Kind.WRITE, name), new Space(Kind.READ, name));
      case PERMIT -> List.of();
    };
  }

  /** Whose tokens a token that is given out here must exceed. */
  List<Space> tokensBefore() {
    return switch (kind) {
      case PLAIN, PERMIT -> List.of(this);
      case READ -> List.of(new Space(Kind.WRITE, name));
      case WRITE ->
          Stream.of(Kind.WRITE, Kind.READ).map(either -> new Space(either, name)).toList();
    };
  }
}
