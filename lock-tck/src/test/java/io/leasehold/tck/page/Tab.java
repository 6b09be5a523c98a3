package io.leasehold.tck.page;

import static io.leasehold.tck.page.Samples.quoted;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A tab of the browser, of which everything that it complains of or asks for is kept. */
final class Tab {
  private static final Map<String, Integer> KEYS =
      Map.of(
          "Enter",
          13,
          "Escape",
          27,
          "Home",
          36,
          "ArrowLeft",
          37,
          "ArrowUp",
          38,
          "ArrowRight",
          39,
          "ArrowDown",
          40);

  private final Chromium chromium;
  private final String target;
  private final String session;
  private int opened;

  Tab(Chromium chromium, String target, String session) throws Exception {
    this.chromium = chromium;
    this.target = target;
    this.session = session;
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", "");
    }
  }

  Tab size(int width, int height, double pixels, boolean phone) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        "\"width\": %d, \"height\": %d, \"deviceScaleFactor\": %s, \"mobile\": %s"
            .formatted(width, height, pixels, phone));
    return this;
  }

  /** Light or dark, and no movement: what is tested stands still. */
  Tab scheme(String scheme) throws Exception {
    call(
        "Emulation.setEmulatedMedia",
        "\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"%s\"},".formatted(scheme)
            + " {\"name\": \"prefers-reduced-motion\", \"value\": \"reduce\"}]");
    return this;
  }

  Tab withoutScripts() throws Exception {
    call("Emulation.setScriptExecutionDisabled", "\"value\": true");
    return this;
  }

  Tab open(Path page) throws Exception {
    opened++;
    value("document.body.dataset.old = true"); // of the page that is left
    call("Page.navigate", "\"url\": " + quoted(page.toAbsolutePath().toUri().toString()));
    await("document.readyState === 'complete' && !document.body.dataset.old");
    return this;
  }

  /** The value of an expression, by way of JSON. */
  Object value(String expression) throws Exception {
    Members answer =
        call(
            "Runtime.evaluate",
            "\"returnByValue\": true, \"expression\": "
                + quoted("JSON.stringify((" + expression + ") ?? null)"));
    if (answer.has("exceptionDetails")) {
      throw new IllegalStateException(
          expression + ": " + answer.object("result").text("description"));
    }
    return Json.read(answer.object("result").text("value"));
  }

  String text(String expression) throws Exception {
    return (String) value(expression);
  }

  int number(String expression) throws Exception {
    return ((Double) value(expression)).intValue();
  }

  boolean is(String expression) throws Exception {
    return (Boolean) value("Boolean(" + expression + ")");
  }

  void await(String expression) throws Exception {
    long start = System.nanoTime();
    while (!is(expression)) {
      if (System.nanoTime() - start > TimeUnit.MINUTES.toNanos(1)) {
        throw new AssertionError("never became true: " + expression);
      }
      Thread.onSpinWait();
    }
  }

  /** Clicks, as a mouse does, in the middle of what a selector finds first. */
  void click(String selector) throws Exception {
    mouse(selector, "mousePressed");
    mouse(selector, "mouseReleased");
  }

  void point(String selector) throws Exception {
    mouse(selector, "mouseMoved");
  }

  private void mouse(String selector, String what) throws Exception {
    String box = "(" + element(selector) + ").getBoundingClientRect()";
    value("(" + element(selector) + ").scrollIntoView({block: 'center', inline: 'center'})");
    call(
        "Input.dispatchMouseEvent",
        "\"type\": \"%s\", \"x\": %s, \"y\": %s, \"button\": \"left\", \"clickCount\": 1"
            .formatted(
                what,
                value("(b => b.x + b.width / 2)(" + box + ")"),
                value("(b => b.y + b.height / 2)(" + box + ")")));
  }

  private static String element(String selector) {
    return "document.querySelector(" + quoted(selector) + ")";
  }

  void key(String key) throws Exception {
    int code = KEYS.getOrDefault(key, (int) key.charAt(0));
    String text = key.length() == 1 ? key : key.equals("Enter") ? "\r" : "";
    String event =
        "\"key\": %s, \"windowsVirtualKeyCode\": %d, \"text\": %s, \"type\": "
            .formatted(quoted(key), code, quoted(text));
    call("Input.dispatchKeyEvent", event + "\"keyDown\"");
    call("Input.dispatchKeyEvent", event + "\"keyUp\"");
  }

  void type(String text) throws Exception {
    call("Input.insertText", "\"text\": " + quoted(text));
  }

  Path screenshot(Path file) throws Exception {
    Files.createDirectories(file.toAbsolutePath().getParent());
    String png = call("Page.captureScreenshot", "\"format\": \"png\"").text("data");
    return Files.write(file, Base64.getDecoder().decode(png));
  }

  /** Errors and exceptions of the page, and whatever it asked the network for. */
  List<String> complaints() {
    return chromium.events(session).stream()
        .filter(
            event ->
                event.contains("\"Runtime.exceptionThrown\"")
                    || event.contains("\"Log.entryAdded\"")
                    || event.contains("\"Runtime.consoleAPICalled\"")
                    || (event.contains("\"Network.requestWillBeSent\"")
                        && !event.matches("(?s).*\"request\":\\{\"url\":\"file:.*")))
        .toList();
  }

  /** How many pages were asked for. */
  long opened() {
    return opened;
  }

  long requests() {
    return chromium.events(session).stream()
        .filter(event -> event.contains("\"Network.requestWillBeSent\""))
        .count();
  }

  private Members call(String method, String parameters) throws Exception {
    return chromium.call(session, method, parameters);
  }

  void shut() throws Exception {
    chromium.call("", "Target.closeTarget", "\"targetId\": " + quoted(target));
  }
}
