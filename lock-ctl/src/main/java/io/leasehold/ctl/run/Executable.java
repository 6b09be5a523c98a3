package io.leasehold.ctl.run;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds a command as a shell does, before a lock is taken for it in vain. */
final class Executable {
  private Executable() {}

  /**
   * @throws CommandFailure as a shell ends: 127 when there is no such command, 126 when it cannot
   *     be executed
   */
  static void check(String command) {
    List<Path> candidates = candidates(command);
    if (candidates.stream().anyMatch(Executable::runs)) {
      return;
    }
    boolean exists = candidates.stream().anyMatch(Files::exists);
    throw exists
        ? new CommandFailure(ExitCodes.NOT_EXECUTABLE, command + ": cannot be executed")
        : new CommandFailure(ExitCodes.NOT_FOUND, command + ": command not found");
  }

  static Optional<Path> find(String command) {
    return candidates(command).stream().filter(Executable::runs).findFirst();
  }

  private static boolean runs(Path path) {
    return Files.isRegularFile(path) && Files.isExecutable(path);
  }

  private static List<Path> candidates(String command) {
    List<Path> candidates = new ArrayList<>();
    try {
      if (command.indexOf('/') >= 0) {
        candidates.add(Path.of(command));
      } else if (!command.isEmpty()) {
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("/usr/bin:/bin");
        for (String folder : path.split(File.pathSeparator, -1)) {
          candidates.add(Path.of(folder.isEmpty() ? "." : folder, command));
        }
      }
    } catch (InvalidPathException e) {
      candidates.clear(); // no file has such a name
    }
    return candidates;
  }
}
