package io.leasehold.ctl.admin;

import io.leasehold.ctl.CommandFailure;
import io.leasehold.ctl.ExitCodes;
import io.leasehold.ctl.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who did what to which lock, one line of JSON each, at the end of a file. What cannot be written
 * down is not done: {@link #intend} comes first.
 */
final class Audit {
  private final Optional<Path> file;
  private final Map<String, Object> common = new LinkedHashMap<>();

  Audit(Optional<Path> file, Map<String, ?> what) {
    this.file = file;
    common.put("user", System.getProperty("user.name", "unknown"));
    common.put("onHost", host());
    common.put("pid", ProcessHandle.current().pid());
    common.putAll(what);
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }

  /** Who it is, in half a sentence. */
  String who() {
    return common.get("user") + " on " + common.get("onHost");
  }

  void intend() {
    write("intended", Map.of());
  }

  /** What became of it. */
  Map<String, Object> done(String outcome, Map<String, ?> details) {
    return write(outcome, details);
  }

  private Map<String, Object> write(String outcome, Map<String, ?> details) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("at", Instant.now());
    line.put("outcome", outcome);
    line.putAll(common);
    line.putAll(details);
    if (file.isPresent()) {
      try {
        byte[] bytes = (Json.of(line) + "\n").getBytes(StandardCharsets.UTF_8);
        // One write at the end of the file: lines of two processes do not mix.
        Files.write(file.get(), bytes, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new CommandFailure(
            ExitCodes.CANNOT_CREATE, "The audit file cannot be written: " + file.get(), e);
      }
    }
    return line;
  }
}
