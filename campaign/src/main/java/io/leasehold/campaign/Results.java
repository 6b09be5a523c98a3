package io.leasehold.campaign;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The results of a campaign, one line for each run in {@code results.jsonl}, on disk as soon as the
 * run has ended. A line that was being written when the campaign was interrupted is ignored, and
 * overwritten. Thread-safe.
 */
final class Results {
  private final Path file;
  private final List<RunResult> all = new ArrayList<>();

  private Results(Path file) {
    this.file = file;
  }

  /** Those of a folder, with what is there already. */
  static Results in(Path folder) {
    Results results = new Results(folder.resolve("results.jsonl"));
    try {
      Files.createDirectories(folder);
      if (Files.exists(results.file)) {
        results.read();
      }
      return results;
    } catch (IOException e) {
      throw new UncheckedIOException("could not read the results in " + folder, e);
    }
  }

  private void read() throws IOException {
    String text = Files.readString(file);
    int end = text.lastIndexOf('\n') + 1;
    text.substring(0, end)
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(line -> all.add(RunResult.fromJson(Json.readObject(line))));
    if (end < text.length()) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(text.substring(0, end).getBytes(UTF_8).length);
      }
    }
  }

  synchronized List<RunResult> all() {
    return List.copyOf(all);
  }

  synchronized boolean has(String name, long round) {
    return all.stream().anyMatch(result -> result.name().equals(name) && result.round() == round);
  }

  synchronized void add(RunResult result) {
    byte[] line = (Json.write(result.toJson()) + "\n").getBytes(UTF_8);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      ByteBuffer rest = ByteBuffer.wrap(line);
      while (rest.hasRemaining()) {
        channel.write(rest);
      }
      channel.force(true);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write a result", e);
    }
    all.add(result);
  }

  /** All of it as one document, with its sums. */
  synchronized String merged(String kit) {
    Map<String, Long> faults = new TreeMap<>();
    for (RunResult result : all) {
      result.faults().forEach((kind, count) -> faults.merge(kind, count, Long::sum));
    }
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("kit", kit);
    json.put("started", all.stream().map(RunResult::started).min(String::compareTo).orElse(""));
    json.put("tookMillis", all.stream().mapToLong(RunResult::tookMillis).sum());
    json.put("operations", all.stream().mapToLong(RunResult::operations).sum());
    json.put("grants", all.stream().mapToLong(RunResult::grants).sum());
    json.put("faults", faults);
    json.put("violations", all.stream().mapToLong(RunResult::bad).sum());
    String head = Json.write(json);
    StringBuilder text = new StringBuilder(head.substring(0, head.length() - 1));
    String separator = ",\n \"runs\": [\n  ";
    for (RunResult result : all) {
      text.append(separator).append(Json.write(result.toJson()));
      separator = ",\n  ";
    }
    return text.append(all.isEmpty() ? ",\n \"runs\": []}\n" : "]}\n").toString();
  }
}
