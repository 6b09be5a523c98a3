package io.leasehold.tck.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What the clients of all processes of one machine did, put together. Immutable. */
public final class History {

  /**
   * A fault.
   *
   * @param kind what was done
   * @param target to what: a server, a process, or {@code *} for all servers
   * @param fromNanos when it began, at the earliest
   * @param toNanos when it had ended; {@link Long#MAX_VALUE} when that was never told
   */
  public record Fault(String kind, String target, long fromNanos, long toNanos) {

    /** Whether servers came back with less than they had, or may have. */
    boolean restarts() {
      return kind.startsWith("restart") || kind.startsWith("lose");
    }

    /** Whether a process can do nothing meanwhile, and its clocks go on. */
    boolean stops() {
      return kills() || kind.startsWith("pause");
    }

    /** Whether a process is gone for ever. */
    boolean kills() {
      return kind.startsWith("kill");
    }
  }

  /** A release by force: of what lock, and between which moments. */
  record Force(String lock, long called, long returned, boolean done) {}

  private final List<Acquisition> calls;
  private final List<Fault> faults;
  private final List<Force> forces;
  private final List<Recorded> clients;
  private final Set<String> processes;

  History(List<Acquisition> calls, List<Fault> faults, List<Force> forces, List<Recorded> clients) {
    calls.sort(Comparator.comparingLong(call -> call.called));
    faults.sort(Comparator.comparingLong(Fault::fromNanos));
    forces.sort(Comparator.comparingLong(Force::called));
    this.calls = List.copyOf(calls);
    this.faults = List.copyOf(faults);
    this.forces = List.copyOf(forces);
    this.clients = List.copyOf(clients);
    Map<String, List<Recorded>> byProcess = new HashMap<>();
    for (Recorded client : clients) {
      byProcess.computeIfAbsent(client.process, name -> new ArrayList<>()).add(client);
    }
    processes = Set.copyOf(byProcess.keySet());
    for (Fault fault : faults) {
      for (Recorded client : byProcess.getOrDefault(fault.target, List.of())) {
        client.faults.add(fault);
      }
    }
  }

  /**
   * Reads the files of all processes. A last line that was not finished is left out, and so is a
   * file that has none yet.
   *
   * @throws MalformedHistoryException when one of them is not a history
   * @throws UncheckedIOException when one of them cannot be read
   */
  public static History read(List<Path> files) {
    HistoryReader reader = new HistoryReader();
    files.forEach(reader::read);
    return reader.history();
  }

  /** Reads every {@code *.history} of a folder. */
  public static History readFolder(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return read(files.filter(file -> file.toString().endsWith(".history")).sorted().toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every call that acquires, in the order in which they began. */
  public List<Acquisition> calls() {
    return calls;
  }

  /** Every fault, in the order in which they began. */
  public List<Fault> faults() {
    return faults;
  }

  List<Force> forces() {
    return forces;
  }

  List<Recorded> clients() {
    return clients;
  }

  /** Whether something is the name of a process of this history, rather than of a server. */
  boolean isProcess(String target) {
    return processes.contains(target);
  }
}
