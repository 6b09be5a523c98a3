package io.leasehold.testkit;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;

/**
 * What a {@link RogueProxy} sends instead of a reply. None of it means that a lock was granted or
 * released.
 */
public enum Mischief {
  WRONG_TYPE(":7\r\n"),
  STATUS("+OK\r\n"),
  NULL_TEXT("$-1\r\n"),
  NULL_LIST("*-1\r\n"),
  EMPTY_LIST("*0\r\n"),
  TOO_MANY_PARTS("*9\r\n" + ":1\r\n".repeat(9)),
  NESTED("*2\r\n*1\r\n*1\r\n$1\r\nx\r\n:1\r\n"),
  UNKNOWN_OUTCOME("*2\r\n$7\r\nGRANTEE\r\n$1\r\n1\r\n"),
  NEGATIVE_NUMBERS("*3\r\n$4\r\nBUSY\r\n$2\r\n-9\r\n:-9\r\n"),
  NUMBERS_TOO_LARGE("*1\r\n$42\r\n" + "9".repeat(20) + " " + "9".repeat(19) + " 0\r\n"),
  HUGE_TEXT("$2147483647\r\nx"),
  HUGE_LIST("*2147483647\r\n"),
  HUGE_LISTS("*1000000\r\n".repeat(16)),
  OVERFLOWING_LENGTH("$99999999999999999999\r\n"),
  NEGATIVE_LENGTH("$-2147483648\r\n"),
  /** A million lists, each in the one before. */
  DEEP("*1\r\n".repeat(1_000_000)),
  /** Eight megabytes of an error. */
  LONG_ERROR("-ERR " + "e".repeat(8 * 1024 * 1024) + "\r\n"),
  /** The beginning of what would be a grant. */
  TRUNCATED("*1\r\n$20\r\n17"),
  NOT_RESP("HTTP/1.1 400 Bad Request\r\n\r\n"),
  TRUNCATED_AND_CLOSED("*1\r\n$20\r\n17") {
    @Override
    void send(OutputStream to, Random random) throws IOException, InterruptedException {
      super.send(to, random);
      to.close();
    }
  },
  CLOSED("") {
    @Override
    void send(OutputStream to, Random random) throws IOException {
      to.close();
    }
  },
  SILENCE(""),
  /** Bytes without any sense, the first of which is that of an honest reply half of the times. */
  GARBAGE("") {
    @Override
    void send(OutputStream to, Random random) throws IOException {
      byte[] bytes = new byte[random.nextInt(1, 5_000)];
      random.nextBytes(bytes);
      if (random.nextBoolean()) {
        bytes[0] = (byte) "+-:$*".charAt(random.nextInt(5));
      }
      to.write(bytes);
      to.flush();
    }
  },
  /** A text that is much too long, one byte after the other, for ever. */
  TRICKLED_TEXT("") {
    @Override
    void send(OutputStream to, Random random) throws IOException, InterruptedException {
      trickle(to, "$60000\r\n", "x");
    }
  },
  /** A list that is much too long, one element after the other, for ever. */
  TRICKLED_LIST("") {
    @Override
    void send(OutputStream to, Random random) throws IOException, InterruptedException {
      trickle(to, "*60000\r\n", ":7\r\n");
    }
  },
  /** Well-formed replies to no request, one after the other, for ever. */
  TRICKLED_REPLIES("") {
    @Override
    void send(OutputStream to, Random random) throws IOException, InterruptedException {
      trickle(to, "", "$3\r\nabc\r\n");
    }
  };

  private final String text;

  Mischief(String text) {
    this.text = text;
  }

  /** Sends it; ends with the connection, if it would not otherwise. */
  void send(OutputStream to, Random random) throws IOException, InterruptedException {
    byte[] bytes = text.getBytes(US_ASCII);
    to.write(bytes);
    to.flush();
  }

  private static void trickle(OutputStream to, String head, String part)
      throws IOException, InterruptedException {
    to.write(head.getBytes(US_ASCII));
    byte[] bytes = part.getBytes(US_ASCII);
    while (true) {
      to.write(bytes);
      to.flush();
      Thread.sleep(40);
    }
  }
}
