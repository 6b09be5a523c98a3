package io.leasehold.it.kinds;

import io.leasehold.it.kinds.Space.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What locks are, in the fewest words: who has a claim where, until when on the server's clock. A
 * claim that ends about now may or may not be there any more; otherwise it is known, and so is what
 * must be answered. Throws {@link Wrong} for an answer that cannot be.
 */
final class Model {

  /** An answer that cannot be. */
  static final class Wrong extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Wrong(String message) {
      super(message);
    }
  }

  /** Expiries count in milliseconds. */
  private static final long SLACK = 3_000;

  /** When a claim ends: not before the one, not after the other. */
  private record End(long earliest, long latest) {
    End or(long other) {
      return new End(Math.min(earliest, other), Math.max(latest, other));
    }

    boolean isSurelyAhead(long now) {
      return earliest > now + SLACK;
    }

    boolean mayBeAhead(long now) {
      return latest > now - SLACK;
    }
  }

  private final Map<Space, Map<String, End>> claims = new HashMap<>();
  private final Map<Space, Long> tokens = new HashMap<>();

  /** All of these spaces were given to an owner, with one token. */
  void granted(Collection<Space> to, String owner, int permits, long token, long end, long now) {
    for (Space space : to) {
      boolean again = in(space).getOrDefault(owner, new End(0, 0)).mayBeAhead(now);
      if (!again && count(space, owner, now, true) >= room(space, permits)) {
        throw new Wrong(owner + " got " + space + " beside " + claims);
      }
      for (Space other : space.tokensBefore()) {
        if (token <= tokens.getOrDefault(other, 0L)) {
          throw new Wrong("the token " + token + " of " + space + " is not above " + tokens);
        }
      }
    }
    for (Space space : to) {
      tokens.merge(space, token, Math::max);
      in(space).put(owner, new End(end, end));
    }
  }

  /** Some of these spaces must have been somebody else's. */
  void busy(Collection<Space> wanted, String owner, int permits, long now) {
    for (Space space : wanted) {
      if (count(space, owner, now, false) >= room(space, permits)) {
        return;
      }
    }
    throw new Wrong(owner + " was refused " + wanted + ", which is free: " + claims);
  }

  /** The claims of an owner were ended, or found to be gone. */
  void ended(Collection<Space> spaces, String owner, boolean held, long now) {
    check(spaces, owner, held, now);
    spaces.forEach(space -> in(space).remove(owner));
  }

  /** The claims of an owner were pushed out; or some of them were found to be gone. */
  void extended(Collection<Space> spaces, String owner, boolean held, long end, long now) {
    check(spaces, owner, held, now);
    for (Space space : spaces) {
      // Of several, those that were there have been pushed out all the same.
      in(space).computeIfPresent(owner, (who, was) -> held ? new End(end, end) : was.or(end));
      if (!held && spaces.size() == 1) {
        in(space).remove(owner);
      }
    }
  }

  /** Everybody's claim to a plain lock was ended, or there was none. */
  void forced(Space space, boolean held, long now) {
    boolean may = in(space).values().stream().anyMatch(end -> end.mayBeAhead(now));
    boolean must = in(space).values().stream().anyMatch(end -> end.isSurelyAhead(now));
    if (held ? !may : must) {
      throw new Wrong(space + " by force, held: " + held + ", of " + claims);
    }
    in(space).clear();
  }

  /** These owners, and no others, were told to be there. */
  void told(Space space, Collection<String> owners, long now) {
    Map<String, End> known = in(space);
    for (String owner : owners) {
      if (!known.containsKey(owner) || !known.get(owner).mayBeAhead(now)) {
        throw new Wrong(owner + " is told to hold " + space + " of " + claims);
      }
    }
    known.forEach(
        (owner, end) -> {
          if (end.isSurelyAhead(now) && !owners.contains(owner)) {
            throw new Wrong(owner + " is not told to hold " + space + " of " + claims);
          }
        });
  }

  private void check(Collection<Space> spaces, String owner, boolean held, long now) {
    boolean may = true;
    boolean must = true;
    for (Space space : spaces) {
      End end = in(space).getOrDefault(owner, new End(0, 0));
      may &= end.mayBeAhead(now);
      must &= end.isSurelyAhead(now);
    }
    if (held ? !may : must) {
      throw new Wrong(owner + " at " + spaces + ", held: " + held + ", of " + claims);
    }
  }

  private static int room(Space space, int permits) {
    return space.kind() == Kind.PERMIT ? permits : 1;
  }

  private long count(Space space, String owner, long now, boolean surely) {
    List<Space> others = space.kind() == Kind.PERMIT ? List.of(space) : space.excluding();
    return others.stream()
        .flatMap(other -> in(other).entrySet().stream())
        .filter(claim -> !claim.getKey().equals(owner))
        .map(Map.Entry::getValue)
        .filter(end -> surely ? end.isSurelyAhead(now) : end.mayBeAhead(now))
        .count();
  }

  private Map<String, End> in(Space space) {
    return claims.computeIfAbsent(space, unseen -> new TreeMap<>());
  }
}
