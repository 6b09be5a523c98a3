package io.leasehold.testkit.hygiene;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * The objects that are reachable, after a full collection that taking it begins with. Kept packed:
 * as a table it would be the largest thing that the next one finds.
 */
public final class ClassHistogram {
  private static final Pattern LINE = Pattern.compile("\\s*\\d+:\\s+(\\d+)\\s+(\\d+)\\s+(\\S+).*");

  /** With which a collector fills gaps: up to megabytes that nobody uses. */
  private static final Set<String> FILLERS =
      Set.of("[I", "jdk.internal.vm.FillerArray", "jdk.internal.vm.FillerElement");

  private final byte[] packed;
  private final long bytes;

  private ClassHistogram(String text) {
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytesOut)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    this.packed = bytesOut.toByteArray();
    this.bytes =
        text.lines()
            .map(LINE::matcher)
            .filter(Matcher::matches)
            .filter(parts -> !FILLERS.contains(parts.group(3)))
            .mapToLong(parts -> Long.parseLong(parts.group(2)))
            .sum();
    if (bytes == 0) {
      throw new IllegalStateException("not a class histogram: " + text);
    }
  }

  /** What the JVM's own {@code jcmd GC.class_histogram} says. */
  static ClassHistogram now() {
    try {
      Object text =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "gcClassHistogram",
                  new Object[] {new String[0]},
                  new String[] {String[].class.getName()});
      return new ClassHistogram((String) text);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM has no class histogram", e);
    }
  }

  /** What all objects take, but for arrays of int, among which are those that fill gaps. */
  long bytes() {
    return bytes;
  }

  /** How many there are of each class. */
  Tally instances() {
    return column(1);
  }

  /** How many bytes all objects of each class take. */
  Tally sizes() {
    return column(2);
  }

  private Tally column(int number) {
    Map<String, Long> values = new TreeMap<>();
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .map(LINE::matcher)
          .filter(Matcher::matches)
          .forEach(
              parts -> values.merge(parts.group(3), Long.valueOf(parts.group(number)), Long::sum));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Tally(values);
  }
}
