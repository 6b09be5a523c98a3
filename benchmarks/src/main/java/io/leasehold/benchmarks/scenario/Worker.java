package io.leasehold.benchmarks.scenario;

import io.leasehold.benchmarks.contestant.Client;
import io.leasehold.benchmarks.contestant.Client.Handle;
import io.leasehold.benchmarks.contestant.Contestant;
import io.leasehold.benchmarks.contestant.Place;
import io.leasehold.benchmarks.measure.Load;
import io.leasehold.benchmarks.measure.Outcome;
import io.leasehold.benchmarks.measure.Turnstile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The main class of a process of a {@link Crew}. It is told line by line, and answers each line n
 * with a line:
 *
 * <pre>
 * n open &lt;contestant&gt; &lt;place&gt;
 * n run &lt;contestant&gt; &lt;name&gt; &lt;threads&gt; ONE_PER_THREAD|SHARED &lt;milliseconds&gt;     answered with an Outcome
 * n close &lt;contestant&gt;
 * </pre>
 *
 * It ends with its input.
 */
final class Worker {
  private final Turnstile turnstile;
  private final Map<Contestant, Client> clients = new EnumMap<>(Contestant.class);

  private Worker(Turnstile turnstile) {
    this.turnstile = turnstile;
  }

  /** Takes the file of the turnstile. */
  public static void main(String[] args) throws Exception {
    Worker worker = new Worker(new Turnstile(Path.of(args[0])));
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
        clients.put(who, who.open(Place.parse(order.get(2))));
        return "opened";
      }
      Client client = clients.get(who);
      if (client == null) {
        return "failed: not open";
      }
      if (order.get(0).equals("close")) {
        clients.remove(who);
        client.close();
        return "closed";
      }
      return run(client, order.subList(2, order.size())).asText();
    } catch (Exception e) {
      return "failed: " + String.valueOf(e).replace('\n', ' ');
    }
  }

  private Outcome run(Client client, List<String> order) throws InterruptedException {
    String name = order.get(0);
    int threads = Integer.parseInt(order.get(1));
    boolean shared = LoadScenario.Locks.valueOf(order.get(2)) == LoadScenario.Locks.SHARED;
    Duration time = Duration.ofMillis(Long.parseLong(order.get(3)));
    List<Handle> handles =
        IntStream.range(0, threads)
            .mapToObj(thread -> client.lock(shared ? name : name + "-" + thread))
            .toList();
    return Load.run(handles, time, shared ? Optional.of(turnstile) : Optional.empty());
  }
}
