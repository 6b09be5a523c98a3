package io.leasehold.it.hygiene;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The test as seen from a JVM that it has started: arguments, and lines in both directions. */
final class Parent {
  /** Kept, or its level would be forgotten with it. */
  private static final Logger LOG = Logger.getLogger("");

  private final String[] arguments;
  private final BufferedReader from = new BufferedReader(new InputStreamReader(System.in, UTF_8));

  Parent(String[] arguments) {
    this.arguments = arguments;
    LOG.setLevel(Level.OFF); // what thousands of clients complain of is what is done to them
  }

  /** The values of {@code key=value}. */
  List<String> all(String key) {
    List<String> values = new ArrayList<>();
    for (String argument : arguments) {
      if (argument.startsWith(key + "=")) {
        values.add(argument.substring(key.length() + 1));
      }
    }
    return values;
  }

  String one(String key) {
    return all(key).get(0);
  }

  int number(String key) {
    return Integer.parseInt(one(key));
  }

  void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Waits for what the test says. */
  String hear() throws IOException {
    String line = from.readLine();
    if (line == null) {
      throw new IOException("the test is gone");
    }
    return line;
  }

  /** Says something, and waits until the test has dealt with it. */
  void sayAndWait(String line) throws IOException {
    say(line);
    hear();
  }
}
