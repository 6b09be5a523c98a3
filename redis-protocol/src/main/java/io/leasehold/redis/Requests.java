package io.leasehold.redis;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import io.leasehold.spi.Granted;
import io.leasehold.spi.LockNode;
import io.leasehold.spi.LockUrl;
import io.leasehold.spi.Options;
import io.leasehold.spi.ReleaseRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Requests to the servers, of every kind of lock: a script is called for a name, and its reply is
 * the answer. What gives something to an owner counts only when enough replicas have it.
 */
final class Requests {
  private final ScriptRunner scripts;
  private final boolean clustered;
  private final Replication replication;
  private final Guard guard;
  private final byte[] client;
  private final long fenceRetentionMillis;
  private final byte[] fenceRetention;
  private final Ascii.Usual usualTtl = new Ascii.Usual();
  private final Ascii.Usual usualQuarantine = new Ascii.Usual();

  /**
   * @param clustered whether keys of different slots may be kept by different servers
   */
  Requests(ScriptRunner scripts, boolean clustered, Guard guard, LockUrl url, String clientId) {
    this.scripts = scripts;
    this.clustered = clustered;
    this.replication = Replication.of(url, scripts);
    this.guard = guard;
    this.client = bytes(clientId);
    this.fenceRetentionMillis = url.get(Options.FENCE_RETENTION).toMillis();
    this.fenceRetention = Ascii.of(fenceRetentionMillis);
  }

  ScriptRunner scripts() {
    return scripts;
  }

  /** The client's id. */
  byte[] client() {
    return client;
  }

  /** How long a fence outlives its last grant, in milliseconds. */
  byte[] fenceRetention() {
    return fenceRetention;
  }

  long fenceRetentionMillis() {
    return fenceRetentionMillis;
  }

  byte[] ttl(long millis) {
    return usualTtl.digits(millis);
  }

  /** How long a server that may have lost leases must not grant, in milliseconds. */
  byte[] quarantine() {
    return usualQuarantine.digits(guard.quarantineMillis());
  }

  /** G, for names of a slot. */
  byte[] guardKey(int slot) {
    return guard.key(slot);
  }

  /** Extends what is kept in such keys. */
  Extensions extensions(Script script, Function<String, HeldKeys> keysOf) {
    return new Extensions(script, keysOf, replication::extend, clustered, List.of(fenceRetention));
  }

  /**
   * Asks about a name.
   *
   * @param keysOf the keys of the name
   * @param decode what the script's reply means
   * @param failing a failure as an answer
   */
  <K, R> CompletionStage<R> ask(
      String name,
      RecentKeys<K> keysOf,
      Function<K, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    ScriptCall made;
    try {
      made = call.apply(keysOf.of(name));
    } catch (IllegalArgumentException e) { // not a name
      return CompletableFuture.completedFuture(failing.apply(Failures.of(e)));
    }
    return ask(made, decode, failing);
  }

  /** As above, with a call that is made already. */
  <R> CompletionStage<R> ask(
      ScriptCall call, Function<List<?>, R> decode, Function<Failed, R> failing) {
    return Asked.of(scripts, call, decode, failing);
  }

  /**
   * As {@link #ask}, for what gives something to an owner: enough replicas must have it.
   *
   * @param giver gives it back if they have not
   */
  <K, R> CompletionStage<R> give(
      LockNode giver,
      String name,
      String owner,
      RecentKeys<K> keysOf,
      Function<K, ScriptCall> call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    ScriptCall made;
    try {
      made = call.apply(keysOf.of(name));
    } catch (IllegalArgumentException e) { // not a name
      return CompletableFuture.completedFuture(failing.apply(Failures.of(e)));
    }
    return give(giver, name, owner, made, decode, failing);
  }

  /** As above, with a call that is made already. */
  <R> CompletionStage<R> give(
      LockNode giver,
      String name,
      String owner,
      ScriptCall call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    Function<List<?>, R> heeding = guard.isOn() ? heeding(decode) : decode;
    return replication.isWanted()
        ? giveReplicated(giver, name, owner, call, heeding, failing)
        : ask(call, heeding, failing);
  }

  /** Hears, from a grant, how long other clients' leases may be. */
  private <R> Function<List<?>, R> heeding(Function<List<?>, R> decode) {
    return raw -> {
      R reply = decode.apply(raw);
      if (reply instanceof Granted) {
        guard.heard(Replies.longestQuarantine(raw));
      }
      return reply;
    };
  }

  private <R> CompletionStage<R> giveReplicated(
      LockNode giver,
      String name,
      String owner,
      ScriptCall call,
      Function<List<?>, R> decode,
      Function<Failed, R> failing) {
    return replication
        .run(call)
        .thenCompose(
            replicated -> {
              R reply = decode.apply(replicated.reply());
              return !(reply instanceof Granted) || replication.suffices(replicated)
                  ? CompletableFuture.completedStage(reply)
                  : takeBack(giver, name, owner, replication.tooFew(replicated)).thenApply(failing);
            })
        .exceptionally(error -> failing.apply(Failures.of(error)));
  }

  /**
   * What too few replicas have was not granted. What could not be taken back is there, whatever the
   * reason (a server that has lost its replicas may refuse that, too): the engine must know.
   */
  private static CompletionStage<Failed> takeBack(
      LockNode giver, String name, String owner, Failed tooFew) {
    return giver
        .release(new ReleaseRequest(name, owner))
        .thenApply(
            reply ->
                reply instanceof Failed failed
                    ? new Failed(
                        FailureKind.TIMEOUT,
                        tooFew.message() + ", and it could not be taken back: " + failed.message())
                    : tooFew);
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
