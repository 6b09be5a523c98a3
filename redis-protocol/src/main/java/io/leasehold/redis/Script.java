package io.leasehold.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The scripts. Each is a resource beside this class that begins with its contract, behind the
 * shared parts that it uses: whole files, one after the other.
 */
enum Script {
  GRANT("clock", "identity", "guard", "fence", "grant"),
  RAISE("clock", "identity", "guard", "fence", "raise"),
  RELEASE("clock", "loss", "waiters", "release"),
  EXTEND("clock", "loss", "extend"),
  TRANSFER("clock", "identity", "guard", "fence", "loss", "waiters", "transfer"),
  INSPECT("clock", "fence", "inspect"),
  FORCE("clock", "waiters", "force"),
  WAKE("clock", "waiters", "wake"),
  VOUCH("clock", "identity", "guard", "vouch");

  private final String source;
  private final String sha1;

  Script(String... parts) {
    this.source =
        Arrays.stream(parts).map(part -> read(part + ".lua")).collect(Collectors.joining());
    this.sha1 = digest(source());
  }

  /** What SCRIPT LOAD sends. */
  byte[] source() {
    return source.getBytes(StandardCharsets.UTF_8);
  }

  /** What EVALSHA names. */
  String sha1() {
    return sha1;
  }

  ScriptCall call(List<byte[]> keys, Object... args) {
    return new ScriptCall(
        sha1,
        keys,
        Arrays.stream(args).map(arg -> arg.toString().getBytes(StandardCharsets.UTF_8)).toList());
  }

  private static String read(String resource) {
    try (InputStream in = Script.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the resource " + resource + " is missing from the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String digest(byte[] source) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-1", e);
    }
  }
}
