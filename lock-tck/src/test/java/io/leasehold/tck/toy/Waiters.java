package io.leasehold.tck.toy;

import io.leasehold.spi.FairLine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for which lock: clients that want to be woken, and places of fair lines. A release
 * wakes one, or gives it its turn; whoever is not there any more is passed over.
 */
public final class Waiters {
  /** A client that may wait. */
  public static final class Client {
    private final Map<String, Runnable> wakeUps = new HashMap<>();
    private boolean gone;
  }

  /** One who waits; with an empty place for a client that wants to be woken. */
  record Member(Client client, String place) {
    boolean isPlace() {
      return !place.isEmpty();
    }
  }

  /** Whose turn it is, and until when on the server's clock. */
  static final class Turn {
    private final Member member;
    private final long endMicros;

    Turn(Member member, long endMicros) {
      this.member = member;
      this.endMicros = endMicros;
    }
  }

  /** Called when a turn is given, to see to its end. */
  interface Given {
    void turn(String name, Turn turn);
  }

  private final LineRules rules;
  private final Given given;
  private final Map<String, List<Member>> lines = new HashMap<>();
  private final Map<String, Turn> turns = new HashMap<>();
  private final Map<String, Client> woken = new HashMap<>();

  Waiters(LineRules rules, Given given) {
    this.rules = rules;
    this.given = given;
  }

  LineRules rules() {
    return rules;
  }

  synchronized void watch(String name, Client client, Runnable wake) {
    client.wakeUps.put(name, wake);
  }

  /**
   * A client stops listening; true when it had a wake-up, and did not use it: then it goes to the
   * next. Nothing happens when the client has begun to listen anew since.
   */
  synchronized boolean unwatch(String name, Client client, Runnable wake) {
    return client.wakeUps.remove(name, wake) && leave(name, client);
  }

  private boolean leave(String name, Client client) {
    line(name).remove(new Member(client, ""));
    return woken.remove(name, client);
  }

  /** A client goes, with all that it has; the locks for which somebody else may be next. */
  synchronized Set<String> gone(Client client) {
    client.gone = true;
    Set<String> names = new HashSet<>();
    for (String name : client.wakeUps.keySet()) {
      if (leave(name, client)) {
        names.add(name);
      }
    }
    client.wakeUps.clear();
    if (rules.passesOverWhoIsGone()) {
      lines.values().forEach(line -> line.removeIf(member -> member.client == client));
      for (Map.Entry<String, Turn> turn : Map.copyOf(turns).entrySet()) {
        if (turn.getValue().member.client == client) {
          turns.remove(turn.getKey());
          names.add(turn.getKey());
        }
      }
    }
    return names;
  }

  /** Enters a member; it keeps its place if it has one. */
  synchronized void enter(String name, Client client, String place) {
    Member member = new Member(client, place);
    List<Member> line = line(name);
    if (!line.contains(member)) {
      if (member.isPlace()) {
        rules.enter(line, member);
      } else {
        line.add(member);
      }
    } else if (member.isPlace()) {
      rules.askedAgain(line, member);
    }
    woken.remove(name, client);
  }

  /** A client came, and could not be served: it does not let its turn pass. */
  synchronized void refused(String name, Client client) {
    Turn turn = turns.get(name);
    if (turn != null && turn.member.client == client) {
      turns.remove(name);
      if (!rules.keepsWhoIsRefused()) {
        line(name).remove(turn.member);
      }
    }
  }

  /** A client has what it waited for. How many others wait. */
  synchronized int served(String name, Client client) {
    line(name).remove(new Member(client, ""));
    woken.remove(name, client);
    return line(name).size();
  }

  /** A place is given up; true when it had its turn. */
  synchronized boolean leave(String name, Client client, String place) {
    Member member = new Member(client, place);
    if (!rules.placesEnd()) {
      return false;
    }
    line(name).remove(member);
    Turn turn = turns.get(name);
    return turn != null && turn.member.equals(member) && turns.remove(name, turn);
  }

  /** A turn was not taken; false when it was, or is another's. */
  synchronized boolean lapse(String name, Turn turn) {
    if (turns.get(name) != turn || !rules.turnsEnd()) {
      return false;
    }
    turns.remove(name);
    line(name)
        .removeIf(
            member ->
                rules.allAreLost()
                    ? member.client == turn.member.client
                    : member.equals(turn.member));
    return true;
  }

  synchronized int count(String name) {
    return line(name).size();
  }

  private List<Member> line(String name) {
    return lines.computeIfAbsent(name, key -> new ArrayList<>()); // names of a test: never swept
  }

  /**
   * Chooses who is next for a lock that is free. What is given back wakes it, and is to be run with
   * no monitor held; whether it is somebody else than a client is told by {@link Choice#isOther}.
   */
  synchronized Choice choose(String name, long nowMicros) {
    turns.remove(name);
    List<Member> line = line(name);
    for (Member member : List.copyOf(line)) {
      if (member.isPlace()) {
        if (!member.client.gone || !rules.passesOverWhoIsGone()) {
          return give(name, member, nowMicros);
        }
      } else {
        line.remove(member);
        Runnable wake = member.client.wakeUps.get(name);
        if (wake != null) {
          woken.put(name, member.client);
          return new Choice(member.client, wake);
        }
      }
    }
    return new Choice(null, () -> {});
  }

  private Choice give(String name, Member member, long nowMicros) {
    Turn turn = new Turn(member, nowMicros + FairLine.TURN_MILLIS * 1_000);
    turns.put(name, turn);
    Runnable wake = member.client.wakeUps.getOrDefault(name, () -> {});
    return new Choice(
        member.client,
        () -> {
          given.turn(name, turn);
          wake.run();
        });
  }

  /** Who was chosen, and how it is told. */
  record Choice(@Nullable Client client, Runnable wake) {

    /** Whether somebody else than this client was chosen. */
    boolean isOther(Client than) {
      return client != null && client != than;
    }
  }

  /** What is said to somebody who asks in a fair line while the lock is free. */
  record Ahead(long remainingMillis, Runnable wake) {}

  /**
   * Asks for a turn. Null when it is the asker's, which uses up the place whose turn it is; the
   * call that waits there gets the place of the one that is served.
   */
  synchronized @Nullable Ahead ask(String name, Client client, String place, long nowMicros) {
    Turn turn = turns.get(name);
    if (turn != null && turn.endMicros <= nowMicros && lapse(name, turn)) {
      turn = null;
    }
    Member asker = new Member(client, place);
    Member next = turn == null ? first(name) : turn.member;
    if (next == null || (asker.isPlace() && next.client == client)) {
      serve(name, asker, next);
      return null;
    }
    if (asker.isPlace()) {
      enter(name, client, place);
    }
    if (turn == null) {
      return new Ahead(FairLine.TURN_MILLIS, give(name, next, nowMicros).wake);
    }
    return new Ahead(Math.max(1, (turn.endMicros - nowMicros + 999) / 1_000), () -> {});
  }

  private @Nullable Member first(String name) {
    for (Member member : line(name)) {
      if (member.isPlace() && (!member.client.gone || !rules.passesOverWhoIsGone())) {
        return member;
      }
    }
    return null;
  }

  private void serve(String name, Member asker, @Nullable Member used) {
    turns.remove(name);
    List<Member> line = line(name);
    int freed = line.indexOf(asker);
    if (used != null && !used.equals(asker)) {
      int was = line.indexOf(used);
      if (freed < 0) {
        line.add(used);
      } else {
        line.set(freed, used);
      }
      line.remove(was);
    } else if (freed >= 0) {
      line.remove(freed);
    }
  }
}
