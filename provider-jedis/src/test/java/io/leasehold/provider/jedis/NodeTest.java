package io.leasehold.provider.jedis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

class NodeTest {

  static Stream<Arguments> commandFailures() {
    return Stream.of(
        Arguments.of(
            new JedisConnectionException(new SocketTimeoutException("Read timed out")),
            FailureKind.TIMEOUT),
        Arguments.of(
            new JedisConnectionException(new SocketException("Connection reset")),
            FailureKind.CONNECTION_LOST),
        Arguments.of(
            new JedisConnectionException("Unexpected end of stream."), FailureKind.CONNECTION_LOST),
        Arguments.of(new IllegalStateException("never seen"), FailureKind.CONNECTION_LOST));
  }

  @ParameterizedTest
  @MethodSource("commandFailures")
  void afterSendingTheFailureSaysThatItMayHaveArrived(RuntimeException error, FailureKind kind) {
    assertKind(Node.ofCommand(error), kind);
  }

  static Stream<Arguments> connectingFailures() {
    JedisConnectionException refused = new JedisConnectionException("Failed to connect to h:1.");
    refused.addSuppressed(new ConnectException("Connection refused"));
    return Stream.of(
        Arguments.of(refused, "cannot connect: Connection refused"),
        Arguments.of(
            new JedisConnectionException(
                "Failed to create socket.", new UnknownHostException("no-such-host")),
            "cannot connect: the host is not known"),
        Arguments.of(
            new JedisConnectionException(new SocketTimeoutException("Connect timed out")),
            "cannot connect: no answer in time"),
        Arguments.of(
            new JedisConnectionException("Unexpected end of stream."),
            "cannot connect: no server could be used"),
        Arguments.of(new InterruptedException(), "cannot connect: interrupted"),
        Arguments.of(new IllegalStateException("Pool not open"), "cannot connect: Pool not open"),
        Arguments.of(
            new NoSuchElementException("Unable to validate object"),
            "cannot connect: Unable to validate object"));
  }

  @ParameterizedTest
  @MethodSource("connectingFailures")
  void whyThereIsNoConnectionIsSaidInFewWords(Throwable error, String words) {
    RuntimeException failure = Node.ofConnecting(error);
    assertKind(failure, FailureKind.UNREACHABLE);
    assertThat(failure).hasMessage(words);
  }

  @Test
  void aLongMessageIsCut() {
    RuntimeException failure =
        Node.ofConnecting(new JedisConnectionException(new IOException("x".repeat(9_999))));
    assertThat(failure.getMessage()).hasSizeLessThan(300);
  }

  @Test
  void aPoolInWhichNothingBecomesFreeIsOverloaded() {
    assertKind(
        Node.ofConnecting(new NoSuchElementException("Timeout waiting for idle object")),
        FailureKind.OVERLOADED);
  }

  @Test
  void theServersErrorsAreItsWordsAndDropTheDriversException() {
    for (JedisException error :
        new JedisException[] {
          new JedisDataException("ERR unknown command 'AUTH', with args beginning with: 's3cret'"),
          new JedisAccessControlException("WRONGPASS invalid username-password pair")
        }) {
      RuntimeException reply = Node.ofConnecting(error);
      assertThat(reply).isInstanceOf(RedisErrorReply.class).hasNoCause();
      assertThat(trace(reply)).doesNotContain("s3cret");
    }
  }

  @Test
  void whatJedisTookFromTheServerForAMessageIsNotRepeated() {
    // After a failed write Jedis makes an error line of the server's the message.
    JedisConnectionException error =
        new JedisConnectionException("ERR s3cret", new SocketException("Broken pipe"));
    assertThat(trace(Node.ofCommand(error))).doesNotContain("s3cret");
    assertThat(trace(Node.ofConnecting(error))).doesNotContain("s3cret");
  }

  private static void assertKind(RuntimeException error, FailureKind kind) {
    assertThat(error)
        .isInstanceOfSatisfying(
            RedisConnectionFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  private static String trace(Throwable error) {
    StringWriter trace = new StringWriter();
    error.printStackTrace(new PrintWriter(trace));
    return trace.toString();
  }
}
