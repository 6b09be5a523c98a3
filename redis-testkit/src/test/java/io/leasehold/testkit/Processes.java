package io.leasehold.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Looks at processes from outside. */
final class Processes {

  private Processes() {}

  /**
   * Whether a process runs or could run again. One that has ended and that nobody waited for is
   * gone: in a container without an init process such entries stay, and they are no server any
   * more.
   */
  static boolean exist(long pid) {
    Path status = Path.of("/proc", String.valueOf(pid), "stat");
    if (Files.isDirectory(Path.of("/proc/self"))) {
      try {
        String fields = Files.readString(status);
        return !fields.startsWith(" Z ", fields.lastIndexOf(')') + 1);
      } catch (IOException e) {
        return false;
      }
    }
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
