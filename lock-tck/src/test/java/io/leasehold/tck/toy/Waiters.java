package io.leasehold.tck.toy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Who waits for which lock. A release wakes one; whoever is not listening is passed over. */
public final class Waiters {

  /** A client that may wait. */
  public static final class Client {
    private final Map<String, Runnable> wakeUps = new HashMap<>();
  }

  private final Map<String, Deque<Client>> lines = new HashMap<>();
  private final Map<String, Client> woken = new HashMap<>();

  synchronized void watch(String name, Client client, Runnable wake) {
    client.wakeUps.put(name, wake);
  }

  /** A client stops listening; a wake-up that it had, and did not use, goes to the next. */
  void unwatch(String name, Client client) {
    boolean passOn;
    synchronized (this) {
      client.wakeUps.remove(name);
      leave(name, client);
      passOn = woken.remove(name, client);
    }
    if (passOn) {
      wakeOne(name);
    }
  }

  void unwatchAll(Client client) {
    Set<String> names;
    synchronized (this) {
      names = new HashSet<>(client.wakeUps.keySet());
    }
    names.forEach(name -> unwatch(name, client));
  }

  synchronized void enter(String name, Client client) {
    Deque<Client> line = lines.computeIfAbsent(name, key -> new ArrayDeque<>());
    if (!line.contains(client)) {
      line.addLast(client);
    }
    woken.remove(name, client);
  }

  /** A client has what it waited for. */
  synchronized void served(String name, Client client) {
    leave(name, client);
    woken.remove(name, client);
  }

  private void leave(String name, Client client) {
    Deque<Client> line = lines.get(name);
    if (line != null) {
      line.remove(client);
      if (line.isEmpty()) {
        lines.remove(name);
      }
    }
  }

  synchronized int count(String name) {
    Deque<Client> line = lines.get(name);
    return line == null ? 0 : line.size();
  }

  void wakeOne(String name) {
    Runnable wake = null;
    synchronized (this) {
      Deque<Client> line = lines.get(name);
      while (wake == null && line != null && !line.isEmpty()) {
        Client next = line.removeFirst();
        wake = next.wakeUps.get(name);
        if (wake != null) {
          woken.put(name, next);
        }
      }
      if (line != null && line.isEmpty()) {
        lines.remove(name);
      }
    }
    if (wake != null) {
      wake.run();
    }
  }
}
