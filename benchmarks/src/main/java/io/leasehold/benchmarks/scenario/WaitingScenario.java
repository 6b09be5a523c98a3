package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.measure.Measurement;
import io.leasehold.benchmarks.measure.Metric;
import io.leasehold.benchmarks.measure.Results;
import io.leasehold.benchmarks.measure.Scenario;
import io.leasehold.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Clients that wait for a lock that another holds: what each of them sends meanwhile, and how many
 * are woken when it is released. The clients of a driver live in a process of their own, on a
 * server of their own. Nothing is timed, so all drivers are watched together.
 */
public final class WaitingScenario {
  /** After opening the last client, and after the release. */
  private static final long SETTLED_MILLIS = 2_000;

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final Pattern CLIENT =
      Pattern.compile("\\baddr=(\\S+) .*?\\bname=(waiter-\\d+)\\b");

  private final Pace pace;
  private final Results results;
  private final List<Contestant> contestants;
  private final List<Watched> watched = new ArrayList<>();
  private long started;

  /** The waiters of one contestant. */
  private record Watched(
      Contestant who, RedisServer server, ChildJvm waiters, Monitor monitor, double since) {
    Watched from(double time) {
      return new Watched(who, server, waiters, monitor, time);
    }

    void close() {
      waiters.close();
      monitor.close();
      server.close();
    }
  }

  /** All drivers of ours, or some of them. */
  public WaitingScenario(List<Contestant> contestants, Pace pace, Results results) {
    this.contestants = List.copyOf(contestants);
    this.pace = pace;
    this.results = results;
  }

  /** What is done before the watch, which goes on while other things are done. */
  public List<Step> begin() {
    return List.of(
        new Step(Scenario.WAITING.title() + ": opening", 9.0 * contestants.size(), this::open));
  }

  /** What is done when, at the earliest, the time is over. */
  public List<Step> end() {
    String title = Scenario.WAITING.title();
    return List.of(
        new Step(title + ": watching", pace.waiting().toSeconds() + 2.0, this::watch),
        new Step(title + ": closing", 0.5, this::closeAll));
  }

  private void open() throws Exception {
    for (Contestant who : contestants) {
      RedisServer server = Stage.server();
      ChildJvm waiters =
          ChildJvm.start(
              Waiters.class,
              "1g",
              who.id(),
              String.valueOf(server.port()),
              String.valueOf(pace.waiters()),
              String.valueOf(Math.min(SETTLED_MILLIS, pace.waiting().toMillis())));
      watched.add(new Watched(who, server, waiters, new Monitor(server), 0));
    }
    for (Watched each : watched) {
      each.waiters.answer(PATIENCE); // all of them wait
    }
    // What was sent until now was for opening: the watch begins, by each server's own clock.
    watched.replaceAll(each -> each.from(each.monitor.restart()));
    started = System.nanoTime();
  }

  private void watch() throws Exception {
    long left = pace.waiting().toNanos() - (System.nanoTime() - started);
    if (left > 0) {
      TimeUnit.NANOSECONDS.sleep(left);
    }
    Map<Watched, Map<Metric, Double>> seen = new LinkedHashMap<>();
    for (Watched each : watched) {
      seen.put(each, whileWaiting(each));
      each.waiters.tell("release");
    }
    for (Map.Entry<Watched, Map<Metric, Double>> entry : seen.entrySet()) {
      Watched each = entry.getKey();
      try {
        Map<Metric, Double> values = entry.getValue();
        values.put(Metric.GRANTED, Double.valueOf(each.waiters.answer(PATIENCE)));
        values.put(Metric.PUBLISHED, (double) each.server.calls("publish"));
        results.add(new Measurement(Scenario.WAITING, each.who, 1, values));
      } catch (IllegalStateException e) {
        results.failed(Scenario.WAITING.title() + ": " + each.who.title() + ": " + e);
      }
    }
  }

  private Map<Metric, Double> whileWaiting(Watched each) {
    Map<String, String> names = names(each.server);
    double until = each.since + pace.waiting().toMillis() / 1e3;
    Map<String, Long> sent =
        each.monitor.seen().stream()
            .filter(command -> command.time() < until && names.containsKey(command.address()))
            .collect(
                Collectors.groupingBy(
                    command -> names.getOrDefault(command.address(), ""), Collectors.counting()));
    Map<Metric, Double> values = new EnumMap<>(Metric.class);
    values.put(Metric.CLIENTS, (double) pace.waiters());
    values.put(Metric.SECONDS, pace.waiting().toMillis() / 1e3);
    values.put(Metric.COMMANDS, sent.values().stream().mapToDouble(n -> n).sum());
    values.put(
        Metric.COMMANDS_PER_CLIENT, sent.values().stream().mapToDouble(n -> n).max().orElse(0));
    return values;
  }

  private void closeAll() {
    watched.forEach(Watched::close);
    watched.clear();
  }

  /** The waiting clients by the addresses of their connections. */
  private static Map<String, String> names(RedisServer server) {
    Map<String, String> names = new HashMap<>();
    Object list = Objects.requireNonNull(server.command("CLIENT", "LIST"));
    for (String line : list.toString().split("\n", -1)) {
      Matcher client = CLIENT.matcher(line);
      if (client.find()) {
        names.put(client.group(1), client.group(2));
      }
    }
    return names;
  }
}
