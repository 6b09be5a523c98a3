package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.spi.Failed;
import io.leasehold.spi.FailureKind;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {
  private static final String SHA = "6e811b139564201b18ee3136bad6ce232559bad8";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          LOADING Redis is loading the dataset in memory                            | LOADING
          READONLY You can't write against a read only replica.                     | READ_ONLY
          OOM command not allowed when used memory > 'maxmemory'.                   | OUT_OF_MEMORY
          BUSY Redis is busy running a script. You can only call SCRIPT KILL        | BUSY_SCRIPT
          UNKILLABLE Sorry the script already executed write commands               | BUSY_SCRIPT
          NOREPLICAS Not enough good replicas to write.                             | TOO_FEW_REPLICAS
          MISCONF Redis is configured to save RDB snapshots, but it cannot          | NOT_PERSISTING
          MASTERDOWN Link with MASTER is down and replica-serve-stale-data          | PRIMARY_DOWN
          CLUSTERDOWN Hash slot not served                                          | CLUSTER_DOWN
          MOVED 12182 127.0.0.1:7001                                                | MOVED
          ASK 12182 127.0.0.1:7001                                                  | MOVED
          TRYAGAIN Multiple keys request during rehashing of slot                   | MOVED
          NOAUTH Authentication required.                                           | NOT_AUTHENTICATED
          WRONGPASS invalid username-password pair or user is disabled.             | NOT_AUTHENTICATED
          ERR AUTH <password> called without any password configured for the user   | NOT_AUTHENTICATED
          DENIED Redis is running in protected mode because                         | NOT_AUTHENTICATED
          NOPERM this user has no permissions to run the 'evalsha' command          | NO_PERMISSION
          ERR The user executing the script can't run this command or subcommand    | NO_PERMISSION
          ERR ACL failure in script: No permissions to access a key                 | NO_PERMISSION
          WRONGTYPE Operation against a key holding the wrong kind of value         | WRONG_TYPE
          ERR max number of clients reached                                         | UNREACHABLE
          NOSCRIPT No matching script. Please use EVAL.                             | OTHER
          ERR value is not an integer or out of range                               | OTHER
          ''                                                                        | OTHER
          """)
  void theFirstWordDecides(String error, FailureKind kind) {
    assertThat(Failures.of(new RedisErrorReply(error)).kind()).isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WRONGTYPE Operation against a key                         | WRONG_TYPE
          -OOM command not allowed when used memory > 'maxmemory'.  | OUT_OF_MEMORY
          -READONLY You can't write against a read only replica.    | READ_ONLY
          -NOREPLICAS Not enough good replicas to write.            | TOO_FEW_REPLICAS
          -MISCONF Redis is configured to save RDB snapshots        | NOT_PERSISTING
          The user executing the script can't access at least one of the keys mentioned in the command arguments | NO_PERMISSION
          """)
  void anErrorInsideAScriptIsRecognisedOnRedis6(String error, FailureKind kind) {
    String wrapped =
        "ERR Error running script (call to f_"
            + SHA
            + "): @user_script:1: @user_script: 1: "
            + error;
    assertThat(Failures.of(new RedisErrorReply(wrapped)).kind()).isEqualTo(kind);
    // as redis.pcall and pcall hand it to the script itself
    assertThat(Failures.of(new RedisErrorReply("@user_script: 1: " + error + "\r\n")).kind())
        .isEqualTo(kind);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          WRONGTYPE Operation against a key holding the wrong kind of value      | WRONG_TYPE
          OOM command not allowed when used memory > 'maxmemory'.                | OUT_OF_MEMORY
          READONLY You can't write against a read only replica.                  | READ_ONLY
          ERR The user executing the script can't run this command or subcommand | NO_PERMISSION
          """)
  void anErrorInsideAScriptIsRecognisedOnRedis7(String error, FailureKind kind) {
    RedisErrorReply reply =
        new RedisErrorReply(error + " script: " + SHA + ", on @user_script:12.");
    assertThat(Failures.of(reply).kind()).isEqualTo(kind);
    assertThat(reply).hasMessage(error);
  }

  @Test
  void aScriptsOwnErrorReadsTheSameOnBoth() {
    assertThat(
            new RedisErrorReply(
                "ERR Error running script (call to f_"
                    + SHA
                    + "): @user_script:24: user_script:24: the fence is damaged"))
        .hasMessage("the fence is damaged");
    assertThat(
            new RedisErrorReply(
                "ERR user_script:24: the fence is damaged script: "
                    + SHA
                    + ", on @user_script:24."))
        .hasMessage("the fence is damaged");
  }

  @Test
  void argumentsThatAServerRepeatsAreDropped() {
    assertThat(
            Failures.of(
                    new RedisErrorReply(
                        "ERR unknown command 'AUTH', with args beginning with: 'app' 's3cret' "))
                .message())
        .contains("unknown command")
        .doesNotContain("s3cret");
    assertThat(
            new RedisErrorReply("ERR unknown command `EVALSHA`, with args beginning with: `owner`,")
                .getMessage())
        .doesNotContain("owner");
  }

  @Test
  void whatAServerSaysIsBoundedAndOneLine() {
    RedisErrorReply reply = new RedisErrorReply("ERR " + "x\r\ny\u0007".repeat(1_000_000));
    assertThat(reply.getMessage())
        .hasSizeLessThanOrEqualTo(300)
        .doesNotContainPattern("\\p{Cntrl}");
  }

  @Test
  void aFailureOfTheConnectionKeepsItsKind() {
    Failed failed =
        Failures.of(
            new CompletionException(
                new RedisConnectionFailure(FailureKind.TIMEOUT, "no reply", null)));
    assertThat(failed.kind()).isEqualTo(FailureKind.TIMEOUT);
    assertThat(failed.message()).isEqualTo("no reply");
    assertThatThrownBy(() -> new RedisConnectionFailure(FailureKind.LOADING, "", null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatNobodyExpectedIsOther() {
    assertThat(Failures.of(new ClassCastException("with a secret")).message())
        .doesNotContain("secret");
    assertThat(Failures.of(new ClassCastException()).kind()).isEqualTo(FailureKind.OTHER);
  }
}
