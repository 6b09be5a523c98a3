package io.leasehold.examples.first;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.testkit.RedisServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each program says what it should. */
class ExamplesTest {

  private interface Program {
    void run(String[] args) throws Exception;
  }

  private static List<String> output(Program program, String... args) throws Exception {
    PrintStream out = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, UTF_8));
    try {
      program.run(args);
    } finally {
      System.setOut(out);
    }
    return said.toString(UTF_8).lines().toList();
  }

  @Test
  void plainJava() throws Exception {
    assertThat(output(PlainJava::main))
        .containsExactly(
            "held, with a token of its own: true",
            "somebody else gets it: false",
            "somebody else waited in vain",
            "afterwards: true");
  }

  @Test
  void plainJavaOnAServerThatIsThere() throws Exception {
    try (RedisServer server = RedisServer.start()) {
      assertThat(output(PlainJava::main, "lock:redis://127.0.0.1:" + server.port()))
          .endsWith("afterwards: true");
      assertThat(String.valueOf(server.command("INFO", "commandstats"))).contains("evalsha");
    }
  }

  @Test
  void async() throws Exception {
    assertThat(output(Async::main)).containsExactly("100 tasks are done, at most 1 at a time");
  }

  @Test
  void virtualThreads() throws Exception {
    assertThat(output(VirtualThreads::main))
        .endsWith("in time: true", "2000 threads counted to 2000");
  }

  @Test
  void scheduledJob() throws Exception {
    assertThat(output(ScheduledJob::main))
        .containsExactly(
            "in time: true", "tick 0: ran 1", "tick 1: ran 1", "tick 2: ran 1", "tick 3: ran 1");
  }

  @Test
  void fencedStore() throws Exception {
    assertThat(output(FencedStore::main))
        .containsExactly(
            "first claims: true",
            "second claims: true",
            "second writes: true",
            "first still holds: false",
            "first writes late: false",
            "balance: 150");
  }
}
