package io.leasehold.provider.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConnectorTest {

  static Stream<Arguments> commandFailures() {
    return Stream.of(
        Arguments.of(new RedisCommandTimeoutException("EVALSHA timed out"), FailureKind.TIMEOUT),
        Arguments.of(
            new RedisException("Currently not connected. Commands are rejected."),
            FailureKind.UNREACHABLE),
        Arguments.of(new RedisException("Connection is closed"), FailureKind.UNREACHABLE),
        Arguments.of(
            new RedisException("Request queue size exceeded: 10. Commands are not accepted."),
            FailureKind.OVERLOADED),
        Arguments.of(
            new RedisException("Internal stack size exceeded: 10. Commands are not accepted."),
            FailureKind.OVERLOADED),
        // sent, or perhaps sent
        Arguments.of(new RedisException("Connection disconnected"), FailureKind.CONNECTION_LOST),
        Arguments.of(new RedisException("Connection closed"), FailureKind.CONNECTION_LOST),
        Arguments.of(new CancellationException(), FailureKind.CONNECTION_LOST),
        Arguments.of(new IOException("Connection reset by peer"), FailureKind.CONNECTION_LOST),
        Arguments.of(new IllegalStateException("never seen"), FailureKind.CONNECTION_LOST));
  }

  @ParameterizedTest
  @MethodSource("commandFailures")
  void aFailureSaysHowFarTheCommandGot(Throwable error, FailureKind kind) {
    assertThat(Connector.notAnswered(new CompletionException(error)))
        .isInstanceOfSatisfying(
            RedisConnectionFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  @Test
  void theServersErrorsAreItsWordsAndDropTheDriversException() {
    RuntimeException reply =
        Connector.notConnected(
            new CompletionException(
                new RedisConnectionException(
                    "Unable to connect",
                    new RedisCommandExecutionException(
                        "ERR unknown command 'AUTH', with args beginning with: 's3cret'"))));
    assertThat(reply).isInstanceOf(RedisErrorReply.class).hasNoCause();
    StringWriter trace = new StringWriter();
    reply.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).contains("unknown command").doesNotContain("s3cret");
  }

  @Test
  void whyAConnectionCouldNotBeMadeIsSaidInFewWords() {
    assertThat(connecting(new ConnectException("Connection refused")))
        .hasMessage("cannot connect: Connection refused");
    assertThat(connecting(new UnknownHostException("h").initCause(new IOException("NXDOMAIN"))))
        .hasMessage("cannot connect: the host is not known");
    assertThat(connecting(new RedisCommandTimeoutException("Connection initialization timed out")))
        .hasMessage("cannot connect: Connection initialization timed out");
    assertThat(connecting(new IOException("x".repeat(10_000))).getMessage()).hasSizeLessThan(300);
  }

  @Test
  void protectedModeIsTheServersWord() {
    assertThat(
            connecting(new RedisConnectionException("DENIED Redis is running in protected mode")))
        .isInstanceOf(RedisErrorReply.class);
  }

  private static RuntimeException connecting(Throwable cause) {
    return Connector.notConnected(new RedisConnectionException("Unable to connect", cause));
  }
}
