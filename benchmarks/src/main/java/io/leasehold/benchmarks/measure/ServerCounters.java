package io.leasehold.benchmarks.measure;

import io.leasehold.testkit.RedisServer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What servers have done, by {@code INFO commandstats}, summed over all of them.
 *
 * <p>The server counts a command that a script calls under the same name as one that a client
 * sends, in these statistics and in {@code total_commands_processed} alike (seen on 7.0.15: the
 * latter rises by three for a script that calls GET and DEL). So a <em>client call</em> is counted
 * by name: commands that no script here can or does call (EVALSHA itself, SUBSCRIBE, SCRIPT LOAD,
 * …) are always a client's; any other is only if the contestant is known to send it itself. INFO is
 * left out: it is how the harness reads these counters.
 *
 * @param commands by the server's name of the command, such as {@code evalsha} or {@code
 *     script|load}
 */
public record ServerCounters(Map<String, Count> commands) {

  /** Commands that are always a client's. */
  private static final Pattern CLIENTS_ONLY =
      Pattern.compile(
          "eval(sha)?(_ro)?|fcall(_ro)?|script\\|.*|[ps]?(un)?subscribe|client\\|.*|hello|auth"
              + "|select|ping|echo|wait|multi|exec|watch|unwatch|reset|quit");

  private static final Pattern LINE = Pattern.compile("calls=(\\d+),usec=(\\d+),.*");

  /**
   * One command's numbers.
   *
   * @param calls how often it ran
   * @param micros for how long in all; for a script, with all that it called
   */
  public record Count(long calls, long micros) {
    static final Count NONE = new Count(0, 0);

    Count plus(Count other) {
      return new Count(calls + other.calls, micros + other.micros);
    }

    Count minus(Count other) {
      return new Count(calls - other.calls, micros - other.micros);
    }
  }

  /** Copies. */
  public ServerCounters {
    commands = Map.copyOf(commands);
  }

  /** Reads them now. */
  public static ServerCounters read(Collection<RedisServer> servers) {
    Map<String, Count> all = new HashMap<>();
    for (RedisServer server : servers) {
      parse(server.info("commandstats")).forEach((name, n) -> all.merge(name, n, Count::plus));
    }
    return new ServerCounters(all);
  }

  static Map<String, Count> parse(Map<String, String> commandstats) {
    Map<String, Count> counts = new HashMap<>();
    commandstats.forEach(
        (key, value) -> {
          Matcher line = LINE.matcher(value);
          if (!key.startsWith("cmdstat_") || !line.matches()) {
            throw new IllegalArgumentException("not of commandstats: " + key + ":" + value);
          }
          counts.put(
              key.substring("cmdstat_".length()),
              new Count(Long.parseLong(line.group(1)), Long.parseLong(line.group(2))));
        });
    return counts;
  }

  /** What was added since then. */
  public ServerCounters since(ServerCounters before) {
    Map<String, Count> difference = new HashMap<>();
    commands.forEach(
        (name, count) -> {
          Count more = count.minus(before.commands.getOrDefault(name, Count.NONE));
          if (more.calls > 0) {
            difference.put(name, more);
          }
        });
    return new ServerCounters(difference);
  }

  /** How often a command ran, from clients and scripts. */
  public long calls(String command) {
    return commands.getOrDefault(command, Count.NONE).calls;
  }

  /**
   * What clients sent.
   *
   * @param direct the further commands that the contestant sends itself, with the share of their
   *     calls that it sends
   */
  public double clientCalls(Map<String, Double> direct) {
    return ofClients(direct, Count::calls);
  }

  /** For how long, in microseconds, the server was busy with what clients sent. */
  public double serverMicros(Map<String, Double> direct) {
    return ofClients(direct, Count::micros);
  }

  private double ofClients(Map<String, Double> direct, ToLongFunction<Count> what) {
    double sum = 0;
    for (Map.Entry<String, Count> command : commands.entrySet()) {
      boolean always = CLIENTS_ONLY.matcher(command.getKey()).matches();
      double share = always ? 1 : direct.getOrDefault(command.getKey(), 0.0);
      sum += share * what.applyAsLong(command.getValue());
    }
    return sum;
  }

  /** How many waiting clients, or threads, were told of a release. */
  public long wakeUps() {
    return calls("publish") + calls("spublish");
  }

  /**
   * How often a key was deleted: of our locks, how often one was given back to the server in the
   * place of being handed over.
   */
  public long deletions() {
    return calls("del") + calls("unlink");
  }
}
