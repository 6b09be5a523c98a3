package io.leasehold.provider.vertx;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.redis.RedisConnectionFailure;
import io.leasehold.redis.RedisErrorReply;
import io.leasehold.spi.FailureKind;
import io.vertx.core.Future;
import io.vertx.redis.client.impl.types.ErrorType;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.Test;

class VertxErrorsTest {

  @Test
  void aServersErrorIsOneAndAFailureOfTheConnectionIsNotThoughTheDriverUsesTheSameType() {
    assertThat(VertxErrors.errorReply(ErrorType.create("NOSCRIPT No matching script")))
        .hasValueSatisfying(reply -> assertThat(reply.code()).isEqualTo("NOSCRIPT"));
    assertThat(VertxErrors.errorReply(ErrorType.create("CONNECTION_CLOSED"))).isEmpty();
    assertThat(VertxErrors.errorReply(ErrorType.create("ILLEGAL_STATE Unknown RESP type x")))
        .isEmpty();
    assertThat(VertxErrors.errorReply(new IOException("ERR no"))).isEmpty();
  }

  @Test
  void aCommandThatTheDriverRefusesReadsAsTheServersErrorWithoutItsArguments() {
    Throwable refused = text("Command is not valid, check https://redis.io: *1 $6 s3cr3t");
    assertThat(VertxErrors.errorReply(refused))
        .hasValueSatisfying(
            reply -> assertThat(reply.getMessage()).startsWith("ERR ").doesNotContain("s3cr3t"));
  }

  @Test
  void theKindSaysWhetherACommandMayHaveBeenSent() {
    assertThat(VertxErrors.ofCommand(text("Redis waiting queue is full")).kind())
        .isEqualTo(FailureKind.OVERLOADED);
    assertThat(VertxErrors.ofCommand(text("Connection is closed")).kind())
        .isEqualTo(FailureKind.UNREACHABLE);
    for (Throwable other :
        new Throwable[] {
          ErrorType.create("CONNECTION_CLOSED"),
          ErrorType.create("ILLEGAL_STATE Unknown RESP type x"),
          new ClosedChannelException(),
          new IOException("Connection reset"),
          text("something new")
        }) {
      assertThat(VertxErrors.ofCommand(other).kind()).isEqualTo(FailureKind.CONNECTION_LOST);
    }
    RedisConnectionFailure own = RedisConnectionFailure.closed();
    assertThat(VertxErrors.ofCommand(own)).isSameAs(own);
  }

  @Test
  void aConnectionThatCannotBeMadeIsUnreachableAndSaysWhy() {
    assertUnreachable(new UnknownHostException("Failed to resolve 'h'"), "the host is not known");
    assertUnreachable(
        new IOException("x", new ConnectException("Connection refused: h/1.2.3.4:1")),
        "Connection refused");
    assertUnreachable(ErrorType.create("CONNECTION_CLOSED"), "the server closed the connection");
    assertUnreachable(new IOException("x".repeat(500)), "xxx");
    RedisErrorReply refused = new RedisErrorReply("WRONGPASS no");
    assertThat(VertxErrors.ofConnecting(refused)).isSameAs(refused);
    assertThat(VertxErrors.ofConnecting(ErrorType.create("WRONGPASS no")))
        .isInstanceOfSatisfying(
            RedisErrorReply.class, reply -> assertThat(reply.code()).isEqualTo("WRONGPASS"));
  }

  private static void assertUnreachable(Throwable error, String why) {
    assertThat(VertxErrors.ofConnecting(error))
        .isInstanceOfSatisfying(
            RedisConnectionFailure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(FailureKind.UNREACHABLE);
              assertThat(failure).hasMessageContaining(why);
              assertThat(failure.getMessage()).hasSizeLessThan(250);
            });
  }

  /** As the driver makes most of its failures. */
  private static Throwable text(String message) {
    return Future.failedFuture(message).cause();
  }
}
