package io.leasehold.ctl.demo;

import io.leasehold.ctl.Output;
import io.leasehold.ctl.Signs;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Map;

/** Tells how it goes: a line that changes on a terminal, and lines for what happens otherwise. */
final class Progress {
  private static final int WIDTH = 78;

  private final Output output;
  private final boolean live;
  private boolean shown;

  Progress(Output output) {
    this.output = output;
    this.live = !output.json() && isTerminal();
  }

  /** By the shell: the JDK's own console is another thing in each of its versions. */
  private static boolean isTerminal() {
    try {
      return new ProcessBuilder("sh", "-c", "test -t 2")
              .redirectError(Redirect.INHERIT)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Something that happens once. */
  void say(String text) {
    clear();
    output.tell("progress", Signs.shown(text), Map.of());
  }

  /** How far it is: shown on a terminal only. */
  void show(String text) {
    if (live) {
      String line = Signs.shown(text);
      System.err.print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
      System.err.flush();
      shown = true;
    }
  }

  void clear() {
    if (shown) {
      System.err.print("\r" + " ".repeat(WIDTH) + "\r");
      System.err.flush();
      shown = false;
    }
  }
}
