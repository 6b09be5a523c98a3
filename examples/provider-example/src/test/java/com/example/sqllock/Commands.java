package com.example.sqllock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Commands of the machine that are short. */
final class Commands {
  private Commands() {}

  static void run(Path folder, List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("commands").toFile())
              .start();
      int code = process.waitFor();
      if (code != 0) {
        throw new IllegalStateException(command.get(0) + " ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
