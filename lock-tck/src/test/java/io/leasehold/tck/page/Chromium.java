package io.leasehold.tck.page;

import static io.leasehold.tck.page.Samples.quoted;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A browser without a window, told what to do by its DevTools protocol. */
final class Chromium implements WebSocket.Listener {
  private static final String SETTING = "leasehold.chromium";
  static final String WHERE =
      "no Chromium here: neither -D"
          + SETTING
          + " nor /usr/bin/chromium, nor chromium, chromium-browser or google-chrome on the PATH";

  private final Process process;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<Members>> calls = new ConcurrentHashMap<>();
  private final List<String> events = new CopyOnWriteArrayList<>();
  private final StringBuilder partial = new StringBuilder();
  private @Nullable WebSocket socket;

  private Chromium(Process process) {
    this.process = process;
  }

  static Optional<Path> find() {
    Stream<Path> given = Stream.ofNullable(System.getProperty(SETTING)).map(Path::of);
    List<Path> names = new ArrayList<>(List.of(Path.of("/usr/bin/chromium")));
    for (String folder : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
      for (String name : List.of("chromium", "chromium-browser", "google-chrome")) {
        names.add(Path.of(folder, name));
      }
    }
    return Stream.concat(given, names.stream()).filter(Files::isExecutable).findFirst();
  }

  static Chromium start(Path binary, Path profile) throws Exception {
    Files.createDirectories(profile);
    List<String> command =
        new ArrayList<>(List.of(binary.toString(), "--headless", "--no-sandbox", "--disable-gpu"));
    for (String flag :
        List.of("quic", "background-networking", "component-update", "sync", "breakpad")) {
      command.add("--disable-" + flag);
    }
    command.addAll(
        List.of(
            "--no-first-run",
            "--force-device-scale-factor=1",
            "--remote-debugging-port=0",
            "--user-data-dir=" + profile.toAbsolutePath(),
            "about:blank"));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(profile.resolve("log").toFile())
            .start();
    Chromium chromium = new Chromium(process);
    try {
      String address = chromium.address(profile.resolve("DevToolsActivePort"));
      chromium.socket =
          HttpClient.newHttpClient()
              .newWebSocketBuilder()
              .buildAsync(URI.create(address), chromium)
              .get(1, TimeUnit.MINUTES);
      return chromium;
    } catch (Exception | Error e) {
      chromium.stop();
      throw e;
    }
  }

  private String address(Path file) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.MINUTES.toNanos(2)) {
      List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
      if (lines.size() >= 2) {
        return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
      }
      if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
        break;
      }
    }
    throw new IOException("Chromium did not start; see " + file.resolveSibling("log"));
  }

  /** A new tab. */
  Tab tab() throws Exception {
    String target = call("", "Target.createTarget", "\"url\": \"about:blank\"").text("targetId");
    String attach = "\"targetId\": " + quoted(target) + ", \"flatten\": true";
    return new Tab(this, target, call("", "Target.attachToTarget", attach).text("sessionId"));
  }

  /** What was told of a session since it began, as JSON. */
  List<String> events(String session) {
    return events.stream().filter(event -> event.contains(session)).toList();
  }

  Members call(String session, String method, String parameters) throws Exception {
    int id = ids.incrementAndGet();
    CompletableFuture<Members> reply = new CompletableFuture<>();
    calls.put(id, reply);
    String of = session.isEmpty() ? "" : "\"sessionId\": " + quoted(session) + ", ";
    WebSocket open = Objects.requireNonNull(socket);
    open.sendText(
            "{%s\"id\": %d, \"method\": %s, \"params\": {%s}}"
                .formatted(of, id, quoted(method), parameters),
            true)
        .get(1, TimeUnit.MINUTES);
    Members answer = reply.get(1, TimeUnit.MINUTES);
    if (!answer.has("result")) {
      throw new IllegalStateException(method + " was refused");
    }
    return answer.object("result");
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      String text = partial.toString();
      partial.setLength(0);
      Members message = Members.of(Json.read(text));
      if (message.has("id")) {
        calls.remove((int) message.number("id")).complete(message);
      } else {
        events.add(text);
      }
    }
    from.request(1);
    return null;
  }

  void stop() throws InterruptedException {
    List<ProcessHandle> all = process.descendants().toList();
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
