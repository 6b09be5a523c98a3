package io.leasehold.ctl.admin;

import io.leasehold.LockStatus;
import io.leasehold.ctl.Durations;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What is known about a lock, for machines and for people. */
final class Statuses {
  static final List<String> COLUMNS =
      List.of("LOCK", "HOLDER", "HOST", "PROCESS", "SINCE", "REMAINING", "TOKEN", "WAITERS");

  private static final String NONE = "-";

  private Statuses() {}

  static Map<String, Object> json(LockStatus status) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("lock", status.name());
    members.put("held", status.holder().isPresent());
    members.put("holder", status.holder().map(Statuses::json));
    members.put("waiters", status.waiters());
    return members;
  }

  private static Map<String, Object> json(LockStatus.Holder holder) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("client", holder.client());
    members.put("clientId", holder.clientId());
    members.put("host", holder.host());
    members.put("process", holder.process());
    members.put("since", holder.since());
    members.put(
        "remainingMillis",
        holder
            .remaining()
            .map(left -> OptionalLong.of(left.toMillis()))
            .orElse(OptionalLong.empty()));
    members.put("token", holder.token());
    return members;
  }

  /** One row below {@link #COLUMNS}. */
  static List<String> row(LockStatus status) {
    List<String> cells = new ArrayList<>();
    cells.add(status.name());
    cells.addAll(
        status
            .holder()
            .map(
                holder ->
                    List.of(
                        name(holder),
                        holder.host().orElse(NONE),
                        shown(holder.process()),
                        holder.since().map(Statuses::shown).orElse(NONE),
                        holder.remaining().map(Durations::shown).orElse("no end"),
                        shown(holder.token())))
            .orElse(List.of("nobody", NONE, NONE, NONE, NONE, NONE)));
    cells.add(Integer.toString(status.waiters()));
    return cells;
  }

  /** Half a sentence about the holder and its time. */
  static String shown(LockStatus.Holder holder) {
    return who(holder)
        + holder
            .remaining()
            .map(left -> ", ends in " + Durations.shown(left) + " unless renewed")
            .orElse(", without an end");
  }

  /** Half a sentence about the holder; the same for as long as it holds the lock. */
  static String who(LockStatus.Holder holder) {
    return "held by "
        + name(holder)
        + holder.host().map(host -> " on " + host).orElse("")
        + (holder.process().isPresent() ? ", process " + holder.process().getAsLong() : "")
        + holder.since().map(since -> ", since " + shown(since)).orElse("")
        + (holder.token().isPresent() ? ", token " + holder.token().getAsLong() : "");
  }

  private static String name(LockStatus.Holder holder) {
    return holder
        .client()
        .or(() -> holder.clientId().map(id -> id.substring(0, Math.min(8, id.length()))))
        .orElse("a foreign client");
  }

  private static String shown(Instant moment) {
    return moment.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private static String shown(OptionalLong number) {
    return number.isPresent() ? Long.toString(number.getAsLong()) : NONE;
  }
}
