package io.leasehold.redis;

import io.leasehold.spi.Options;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The scripts. Each is a resource beside this class that begins with its contract, behind the
 * shared parts that it uses: whole files, one after the other.
 */
enum Script {
  GRANT("usual_grant quick quick_grant others clock identity guard fence line plain grant"),
  FAIR("others clock identity guard fence line waiters fair grant"),
  RAISE("clock identity guard fence sole raise"),
  RELEASE("quick_release clock loss line waiters release"),
  EXTEND("clock loss extend extend_all"),
  TRANSFER("others quick quick_transfer clock identity guard fence loss waiters transfer"),
  INSPECT("clock fence inspect"),
  FORCE("clock mark waiters force"),
  WAKE("clock waiters wake"),
  LEAVE("clock waiters leave"),
  VOUCH("clock identity guard vouch"),
  EXTEND_SHARE("clock members extend_share extend_all"),
  END_READ("clock line waiters members turns end_read unshare"),
  END_WRITE("clock loss line waiters members turns end_write"),
  END_PERMIT("clock line waiters members end_permit unshare"),
  RELEASE_ALL("clock loss line waiters release_all"),

  // Loaded when they are called first, from here
  RAISE_SHARE("clock identity guard fence members raise_share raise"),
  INSPECT_SHARES("clock fence inspect_shares"),
  RAISE_READ("clock identity guard fence members raise_read raise"),
  READ("others clock identity guard fence line members read share"),
  FORCE_READ("clock waiters members turns force_read force_shares"),
  DOWNGRADE("clock identity guard fence loss waiters members turns downgrade"),
  WRITE("others clock identity guard fence line waiters members turns write grant"),
  FORCE_WRITE("clock mark waiters members turns force_write"),
  PASS_ON("clock waiters members turns pass_on"),
  PERMIT("others clock identity guard fence line waiters members permit share"),
  FORCE_PERMIT("clock waiters members force_permit force_shares"),
  PASS_PERMIT("clock waiters pass_permit"),
  GRANT_ALL("others clock identity guard fence line waiters grant_all"),
  // to here.

  REDISSON_GRANT("clock layouts redisson_lock redisson_grant"),
  REDISSON_RELEASE("clock redisson_lock redisson_release"),
  REDISSON_EXTEND("clock redisson_lock failure redisson_extend"),
  REDISSON_INSPECT("clock layouts redisson_inspect"),

  SETNX_GRANT("clock layouts setnx_lock setnx_grant"),
  SETNX_RELEASE("clock layouts setnx_lock setnx_release"),
  SETNX_EXTEND("clock layouts setnx_lock failure setnx_extend"),
  SETNX_INSPECT("clock layouts setnx_lock setnx_inspect");

  private final String source;
  private final String sha1;

  @SuppressWarnings("ImmutableEnumChecker") // nothing writes into what is sent
  private final byte[] sha1Bytes;

  Script(String parts) {
    this.source = Arrays.stream(parts.split(" ")).map(Script::read).collect(Collectors.joining());
    this.sha1 = digest(source());
    this.sha1Bytes = sha1.getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Whether it gives back what one owner has, and can do so on the first of its keys alone. See
   * {@link ScriptCall#alone()}.
   */
  boolean endsAlone() {
    return this == RELEASE || this == END_READ || this == END_WRITE || this == END_PERMIT;
  }

  /** Whether the lock's key alone does not show who has it. */
  boolean needsItsCompanions() {
    return this == SETNX_EXTEND;
  }

  /**
   * What a server gets when it is checked, of a layout: what plain locks need, and what holders of
   * every kind need, also while a slot moves to that server. The rest it gets when it is called
   * for: most clients use plain locks alone, and all of it would be a quarter of a megabyte.
   */
  static List<Script> loadedAtOnce(Options.Layout layout) {
    return EnumSet.complementOf(EnumSet.range(RAISE_SHARE, GRANT_ALL)).stream()
        .filter(script -> script.layout() == layout)
        .toList();
  }

  /** How its name begins; those of distlock have no such name. */
  private Options.Layout layout() {
    return Arrays.stream(Options.Layout.values())
        .filter(layout -> name().startsWith(layout.name() + "_"))
        .findFirst()
        .orElse(Options.Layout.DISTLOCK);
  }

  /** What SCRIPT LOAD sends. */
  byte[] source() {
    return source.getBytes(StandardCharsets.UTF_8);
  }

  /** What EVALSHA names. */
  String sha1() {
    return sha1;
  }

  byte[] sha1Bytes() {
    return sha1Bytes;
  }

  ScriptCall call(List<byte[]> keys, Object... args) {
    byte[][] words = keys.toArray(new byte[keys.size() + args.length][]);
    for (int i = 0; i < args.length; i++) {
      words[keys.size() + i] = ScriptCall.word(args[i]);
    }
    return new ScriptCall(this, keys.size(), words);
  }

  /**
   * A part, with its first line, which says what it is, and without its other comments: they are
   * half of it, and servers keep what they are sent.
   */
  private static String read(String part) {
    try (InputStream in = Script.class.getResourceAsStream(part + ".lua")) {
      byte[] bytes = Objects.requireNonNull(in, part).readAllBytes();
      String text = new String(bytes, StandardCharsets.UTF_8);
      int heading = text.indexOf('\n') + 1;
      return text.substring(0, heading)
          + text.substring(heading)
              .lines()
              .filter(line -> !line.stripLeading().startsWith("--"))
              .map(line -> line + '\n')
              .collect(Collectors.joining());
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
