package io.leasehold.tck.history;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads files one after the other, and puts them together. */
final class HistoryReader {
  private final List<Acquisition> calls = new ArrayList<>();
  private final List<History.Fault> faults = new ArrayList<>();
  private final List<History.Force> forces = new ArrayList<>();
  private final List<Recorded> clients = new ArrayList<>();

  void read(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      Lines lines = new Lines(in);
      try {
        read(lines);
      } catch (IllegalArgumentException e) {
        throw new MalformedHistoryException(
            file, lines.number(), e.getMessage() == null ? "nonsense" : e.getMessage());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read(Lines lines) throws IOException {
    String header = lines.next();
    if (header == null) {
      return; // its process was killed before it had written anything
    }
    Fields first = new Fields(header);
    if (!first.word().equals(Words.HEADER) || !first.word().equals(Words.VERSION)) {
      throw new IllegalArgumentException("the first line is not that of a history");
    }
    HistoryFile file = new HistoryFile(first.name());
    first.end();
    for (String line = lines.next(); line != null; line = lines.next()) {
      file.event(new Fields(line));
    }
    file.finish();
    calls.addAll(file.calls());
    faults.addAll(file.faults());
    forces.addAll(file.forces());
    clients.addAll(file.clients());
  }

  History history() {
    return new History(calls, faults, forces, clients);
  }
}
