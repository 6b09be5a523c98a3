package com.example.sqllock;

import io.leasehold.spi.ClientInfo;
import io.leasehold.spi.Inspection;
import io.leasehold.spi.NotHeld;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One row of the table as it was read, with what the database's clock showed then, and the rules by
 * which a row follows another. All times are microseconds on the database's clock.
 *
 * @param version changes with every write; {@link #ABSENT} when there is no such row
 * @param owner who holds the lock, or held it last; null when it was given back
 * @param ends when that ends
 * @param client who the owner is
 * @param fence the highest token given out
 * @param keepUntil when the row may be forgotten
 * @param forced from whom the lock was taken by force, last
 * @param now the database's clock
 */
record LockRow(
    String name,
    long version,
    @Nullable String owner,
    long ends,
    @Nullable ClientInfo client,
    long fence,
    long keepUntil,
    @Nullable String forced,
    long now) {

  static final long ABSENT = -1;

  /** Proposals that lie further from the clock are not taken; so no bad clock carries us away. */
  private static final long SPAN = 5_000_000;

  boolean isAbsent() {
    return version == ABSENT;
  }

  boolean isHeld() {
    return owner != null && ends > now;
  }

  boolean isHeldBy(String asking) {
    return isHeld() && asking.equals(owner);
  }

  /** Rounded up: who comes back then finds that it has ended. */
  long remainingMillis() {
    return Math.max(0, (ends - now + 999) / 1_000);
  }

  /** The last moment at which the lock is still held. */
  long lastMoment() {
    return ends - 1;
  }

  /**
   * The next token: the proposal where it fits between what was given out and what the clock
   * allows. Where nothing was given out, or it is forgotten, the clock less the span is larger than
   * whatever it was: rows are kept for longer than twice that.
   */
  long nextToken(long proposal) {
    long floor = Math.max(fence, now - SPAN);
    return proposal > floor && proposal <= now + SPAN ? proposal : floor + 1;
  }

  boolean canRaise(long token) {
    return token >= fence && token > now - SPAN && token <= now + SPAN;
  }

  LockRow granted(String to, ClientInfo as, long ttlMillis, long token, long retentionMillis) {
    long end = now + ttlMillis * 1_000;
    long keep = Math.max(end, now + retentionMillis * 1_000);
    return new LockRow(name, version, to, end, as, token, keep, forced, now);
  }

  LockRow extended(long ttlMillis) {
    long end = now + ttlMillis * 1_000;
    long keep = Math.max(end, keepUntil);
    return new LockRow(name, version, owner, end, client, fence, keep, forced, now);
  }

  LockRow raised(long token, long retentionMillis) {
    long keep = Math.max(keepUntil, now + retentionMillis * 1_000);
    return new LockRow(name, version, owner, ends, client, token, keep, forced, now);
  }

  LockRow released() {
    return new LockRow(name, version, null, now, null, fence, keepUntil, forced, now);
  }

  /** Released, and whoever held it shall know by whom. */
  LockRow takenAway() {
    return new LockRow(name, version, null, now, null, fence, keepUntil, owner, now);
  }

  LockRow heldForEver(String id) {
    return new LockRow(name, version, id, Long.MAX_VALUE, null, 0, Long.MAX_VALUE, null, now);
  }

  NotHeld notHeld(String asking) {
    NotHeld.Cause cause = isHeld() ? NotHeld.Cause.TAKEN : NotHeld.Cause.ABSENT;
    return new NotHeld(asking.equals(forced) ? NotHeld.Cause.FORCED : cause, now);
  }

  Inspection inspection() {
    Optional<Inspection.Holder> holder =
        Optional.ofNullable(isHeld() ? owner : null)
            .map(id -> new Inspection.Holder(id, remainingMillis(), Optional.ofNullable(client)));
    return new Inspection(holder, fence, 0, now);
  }
}
