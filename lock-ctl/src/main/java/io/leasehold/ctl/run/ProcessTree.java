package io.leasehold.ctl.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A command and everything that it has started: its descendants, whoever was seen to be one, and
 * (on Linux) whoever has the marker in its environment. So one that was left by its parent is
 * found, too. Not found: one that was left by its parent and has cleared its environment. Not
 * thread-safe.
 */
final class ProcessTree {
  private static final Path PROC = Path.of("/proc");

  private final ProcessHandle root;
  private final String marker;
  private final Set<ProcessHandle> seen = new LinkedHashSet<>();

  ProcessTree(ProcessHandle root, String marker) {
    this.root = root;
    this.marker = marker;
    seen.add(root);
  }

  /** Those that live. */
  List<ProcessHandle> alive() {
    seen.addAll(marked());
    for (ProcessHandle process : List.copyOf(seen)) {
      process.descendants().forEach(seen::add);
    }
    seen.removeIf(process -> !process.isAlive() || isZombie(process));
    return List.copyOf(seen);
  }

  /** TERM, for each that lives. */
  void ask() {
    alive().forEach(ProcessHandle::destroy);
  }

  /** KILL, for each that lives. */
  void end() {
    alive().forEach(ProcessHandle::destroyForcibly);
  }

  ProcessHandle root() {
    return root;
  }

  private Set<ProcessHandle> marked() {
    Set<ProcessHandle> found = new LinkedHashSet<>();
    if (Files.isDirectory(PROC.resolve("self"))) {
      try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
        for (Path process : processes) {
          if (read(process.resolve("environ")).contains(marker)) {
            ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                .ifPresent(found::add);
          }
        }
      } catch (IOException e) {
        return found; // what is known of descendants must do
      }
    }
    return found;
  }

  private static boolean isZombie(ProcessHandle process) {
    String stat = read(PROC.resolve(Long.toString(process.pid())).resolve("stat"));
    return Optional.of(stat.lastIndexOf(')'))
        .filter(end -> end > 0 && end + 2 < stat.length())
        .map(end -> stat.charAt(end + 2))
        .filter(state -> state == 'Z' || state == 'X')
        .isPresent();
  }

  /** Empty for what is gone, or another user's. */
  private static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "";
    }
  }
}
