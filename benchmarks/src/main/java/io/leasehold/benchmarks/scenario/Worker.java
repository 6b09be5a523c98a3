package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Client;
import io.leasehold.benchmarks.contestant.Client.Handle;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.measure.Load;
import io.leasehold.benchmarks.measure.Turnstile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The main class of a process that shares a lock with others of its kind. It is told line by line,
 * and answers with a line each: {@code <n> open <contestant>}, and {@code <n> run <contestant>
 * <threads> <milliseconds>}, whose answer is n and an {@code Outcome}. It ends with its input.
 */
final class Worker {
  private final Place place;
  private final Turnstile turnstile;
  private final Map<Contestant, Client> clients = new EnumMap<>(Contestant.class);

  private Worker(Place place, Turnstile turnstile) {
    this.place = place;
    this.turnstile = turnstile;
  }

  /** Takes the place of the servers, and the file of the turnstile. */
  public static void main(String[] args) throws Exception {
    Worker worker = new Worker(Place.parse(args[0]), new Turnstile(Path.of(args[1])));
    Orders orders = new Orders();
    while (true) {
      List<String> order = List.of(orders.next().split(" ", -1));
      System.out.println(order.get(0) + " " + worker.answer(order.subList(1, order.size())));
    }
  }

  private String answer(List<String> order) {
    try {
      Contestant who = Contestant.of(order.get(1));
      if (order.get(0).equals("open")) {
        clients.put(who, who.open(place));
        return "opened";
      }
      Client client = clients.get(who);
      if (client == null) {
        return "failed: not open";
      }
      int threads = Integer.parseInt(order.get(2));
      Duration time = Duration.ofMillis(Long.parseLong(order.get(3)));
      List<Handle> shared =
          IntStream.range(0, threads).mapToObj(i -> client.lock("shared-" + who.id())).toList();
      return Load.run(shared, time, Optional.of(turnstile)).asText();
    } catch (Exception e) {
      return "failed: " + String.valueOf(e).replace('\n', ' ');
    }
  }
}
