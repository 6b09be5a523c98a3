package io.leasehold.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.net.ProtocolException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RespGateTest {
  private static final String MESSAGE = "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$0\r\n\r\n";
  private static final String SLOT = // of CLUSTER SLOTS, with two replicas
      "*5\r\n:16383\r\n:16383\r\n" + node() + node() + node();

  private static String node() {
    String host = "$39\r\n2001:0db8:85a3:0000:0000:8a2e:0370:7334\r\n";
    return "*4\r\n" + host + ":6379\r\n$40\r\n" + "f".repeat(40) + "\r\n*0\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK\r\n",
        "-ERR no\r\n",
        ":-42\r\n",
        "$0\r\n\r\n",
        "$-1\r\n",
        "*-1\r\n",
        "*0\r\n",
        "$4\r\na\r\nb\r\n",
        "*1\r\n$20\r\n1794801418 162878 00\r\n",
        "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$0\r\n\r\n",
        "*2\r\n*2\r\n:1\r\n*0\r\n*1\r\n*1\r\n$-1\r\n+OK\r\n",
      })
  void whatServersSayPassesWhereverItIsCut(String reply) throws ProtocolException {
    for (int cut = 0; cut <= reply.length(); cut++) {
      RespGate gate = new RespGate();
      for (int times = 0; times < 3; times++) {
        pass(gate, reply.substring(0, cut));
        pass(gate, reply.substring(cut));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 400\r\n",
        "\r\n",
        "%1\r\n",
        ">3\r\n",
        "$16777217\r\n",
        "$2147483647\r\n",
        "$99999999999999999999\r\n",
        "$-2\r\n",
        "$\r\n",
        "$1x\r\n",
        "$--1\r\n",
        "$1\r\nabc",
        "$1\r\na\r\r",
        "*1048577\r\n",
        "*2147483647\r\n",
        "*9223372036854775807\r\n",
        "+a\nb\r\n",
        "+a\rb\r\n",
      })
  void whatNoServerSaysIsRefused(String reply) {
    assertRefused(reply);
  }

  @Test
  void aLineMayBeLongButNotTooLong() {
    String longest = "-ERR" + "x".repeat(RespGate.LONGEST_LINE - 4);
    assertThatCode(() -> pass(new RespGate(), longest + "\r\n+OK\r\n" + longest + "\r\n"))
        .doesNotThrowAnyException();
    assertRefused("+" + longest + "x");
  }

  @Test
  void listsMayLieInListsButNotTooDeep() {
    assertThatCode(() -> pass(new RespGate(), "*1\r\n".repeat(RespGate.DEEPEST) + ":1\r\n"))
        .doesNotThrowAnyException();
    assertRefused("*1\r\n".repeat(RespGate.DEEPEST + 1));
  }

  @Test
  void theLargestMapOfAClusterPasses() {
    String map = "*16384\r\n" + SLOT.repeat(16_384);
    assertThatCode(() -> pass(new RespGate(), map + map)).doesNotThrowAnyException();
  }

  @Test
  void allPartsOfAReplyWeighTogether() {
    int quarter = RespGate.HEAVIEST / 4;
    String text = "$" + quarter + "\r\n" + "x".repeat(quarter) + "\r\n";
    assertThatCode(() -> pass(new RespGate(), "*3\r\n" + text.repeat(3)))
        .doesNotThrowAnyException();
    assertThatCode(() -> pass(new RespGate(), text.repeat(5))).doesNotThrowAnyException();
    assertRefused("*4\r\n" + text.repeat(4));
    assertRefused("*500000\r\n*500000\r\n*500000\r\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        MESSAGE,
        "*3\r\n$8\r\nsmessage\r\n$1\r\nc\r\n$2\r\nno\r\n",
        "*3\r\n$12\r\nsunsubscribe\r\n$1\r\nc\r\n:0\r\n",
      })
  void whoListensHearsMessagesWithoutAsking(String message) throws ProtocolException {
    for (int cut = 0; cut <= message.length(); cut++) {
      RespGate gate = listening(0);
      for (int times = 0; times < 3; times++) {
        pass(gate, message.substring(0, cut));
        pass(gate, message.substring(cut));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n",
        "*3\r\n$10\r\nssubscribe\r\n$1\r\nc\r\n:1\r\n",
        "*2\r\n$4\r\npong\r\n$0\r\n\r\n",
        "-NOPERM no\r\n",
      })
  void whoListensIsAnsweredAsOftenAsItAsks(String answer) throws ProtocolException {
    RespGate gate = listening(2);
    pass(gate, answer + MESSAGE + answer + MESSAGE);
    assertThatThrownBy(() -> pass(gate, answer))
        .isInstanceOf(ProtocolException.class)
        .hasMessageContaining("nobody has asked");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "+OK\r\n",
        ":7\r\n",
        "$-1\r\n",
        "$7\r\nmessage\r\n",
        "*-1\r\n",
        "*0\r\n",
        "*1\r\n$7\r\nmessage\r\n",
        "*4\r\n$7\r\nmessage\r\n",
        "*3\r\n:1\r\n",
        "*3\r\n$-1\r\n",
        "*3\r\n*1\r\n$7\r\nmessage\r\n",
        "*3\r\n$7\r\nmassage\r\n",
        "*3\r\n$6\r\nmessag\r\n",
        "*3\r\n$0\r\n\r\n",
        "*3\r\n$13\r\n",
      })
  void whoListensHearsNothingElse(String nonsense) {
    assertThatThrownBy(() -> pass(listening(1), nonsense)).isInstanceOf(ProtocolException.class);
  }

  private static RespGate listening(int asked) {
    RespGate gate = new RespGate();
    gate.expect(0);
    gate.listen();
    gate.expect(asked);
    return gate;
  }

  @Test
  void afterARefusalNothingPasses() {
    RespGate gate = new RespGate();
    assertThatThrownBy(() -> pass(gate, "?")).isInstanceOf(ProtocolException.class);
    assertThatThrownBy(() -> pass(gate, "+OK\r\n")).isInstanceOf(ProtocolException.class);
  }

  @Test
  void randomRepliesPassInRandomPieces() {
    Seeds.each(
        2_000,
        random -> {
          ByteArrayOutputStream all = new ByteArrayOutputStream();
          for (int i = random.nextInt(1, 6); i > 0; i--) {
            write(random, all, 0);
          }
          byte[] bytes = all.toByteArray();
          RespGate gate = new RespGate();
          assertThatCode(
                  () -> {
                    for (int at = 0, end; at < bytes.length; at = end) {
                      end = Math.min(bytes.length, at + random.nextInt(1, 20));
                      gate.pass(index -> bytes[index], at, end);
                    }
                    pass(gate, "+OK\r\n"); // it is between two replies now
                  })
              .doesNotThrowAnyException();
        });
  }

  @Test
  void randomBytesPassOrAreRefusedAndNothingElse() {
    Seeds.each(
        10_000,
        random -> {
          byte[] bytes = new byte[random.nextInt(1, 300)];
          random.nextBytes(bytes);
          for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(3) > 0) {
              bytes[i] = (byte) "+-:$*0123456789\r\n\r\n".charAt(random.nextInt(19));
            }
          }
          try {
            new RespGate().pass(index -> bytes[index], 0, bytes.length);
          } catch (ProtocolException refused) {
            assertThat(refused.getMessage()).startsWith("the server sent a reply ");
          }
        });
  }

  private static void write(Random random, ByteArrayOutputStream to, int depth) {
    switch (random.nextInt(depth > 4 ? 4 : 6)) {
      case 0 -> to.writeBytes("+a status\r\n".getBytes(US_ASCII));
      case 1 -> to.writeBytes((":" + random.nextLong() + "\r\n").getBytes(US_ASCII));
      case 2 -> to.writeBytes("$-1\r\n".getBytes(US_ASCII));
      case 3 -> {
        byte[] text = new byte[random.nextInt(50)];
        random.nextBytes(text);
        to.writeBytes(("$" + text.length + "\r\n").getBytes(US_ASCII));
        to.writeBytes(text);
        to.writeBytes("\r\n".getBytes(US_ASCII));
      }
      default -> {
        int size = random.nextInt(5);
        to.writeBytes(("*" + size + "\r\n").getBytes(US_ASCII));
        for (int i = 0; i < size; i++) {
          write(random, to, depth + 1);
        }
      }
    }
  }

  private static void assertRefused(String reply) {
    assertThatThrownBy(() -> pass(new RespGate(), reply)).isInstanceOf(ProtocolException.class);
  }

  private static void pass(RespGate gate, String text) throws ProtocolException {
    byte[] bytes = text.getBytes(US_ASCII);
    gate.pass(index -> bytes[index], 0, bytes.length);
  }
}
