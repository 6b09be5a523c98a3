package io.leasehold.benchmarks.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * What a process is told on its input, line by line. It is read all the time: when it ends, whoever
 * started this process has ended, and so does this one, whatever it is doing.
 */
final class Orders {
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  /** Begins to read. */
  Orders() {
    Thread reader = new Thread(this::read, "orders");
    reader.setDaemon(true);
    reader.start();
  }

  /** Waits for the next. */
  String next() throws InterruptedException {
    return lines.take();
  }

  private void read() {
    try {
      BufferedReader in = new BufferedReader(new InputStreamReader(System.in, UTF_8));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      System.err.println("no more orders: " + e);
    } finally {
      // Not in order: nobody waits until hundreds of clients have said goodbye to their servers.
      Runtime.getRuntime().halt(0);
    }
  }
}
