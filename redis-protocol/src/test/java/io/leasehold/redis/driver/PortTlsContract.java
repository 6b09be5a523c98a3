package io.leasehold.redis.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.RedisServer;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** TLS of a {@link DriverPort}, as the URL's options say. */
@Tag("full")
@SuppressWarnings("exports") // tests run on the class path
public abstract class PortTlsContract extends PortFixture {
  private static final TestCertificates CERTIFICATES = TestCertificates.get();
  private static final String TRUSTED = "tlsCa=" + file(CERTIFICATES.ca());
  private static final Duration TIMEOUT = Duration.ofSeconds(4);

  private final RedisServer server = RedisServer.start();

  /** For the test of one driver. */
  protected PortTlsContract() {}

  @BeforeEach
  void closeServer() {
    closing(server);
  }

  @Test
  void aServerThatTheAuthorityVouchesForIsTrusted() {
    TlsProxy proxy = proxy(ServerTls.oneWay());
    for (String host : new String[] {"localhost", "127.0.0.1"}) {
      DriverPort port = port("rediss://" + host + ":" + proxy.port() + "/3?" + TRUSTED, TIMEOUT);
      assertThat(works(port, "k")).isTrue();
      Recorder recorder = new Recorder();
      get(onThread(() -> port.subscribe(key("k"), key("news"), recorder).thenApply(x -> true)));
      server.command("PUBLISH", "news", "x".repeat(100_000));
      eventually(() -> recorder.messages.size() == 1);
    }
  }

  @Test
  void aServerOfAnotherAuthorityIsRefused() {
    assertRefused("", ServerTls.oneWay());
    assertRefused("tlsVerify=chain", ServerTls.oneWay());
  }

  @Test
  void aServerWithAnotherNameIsRefusedUnlessOnlyTheChainCounts() {
    assertRefused(TRUSTED, ServerTls.wrongHost());
    assertAccepted("tlsVerify=chain&" + TRUSTED, ServerTls.wrongHost());
  }

  @Test
  void withoutVerificationEveryServerIsTrusted() {
    assertAccepted("tlsVerify=off", ServerTls.wrongHost());
  }

  @Test
  void aServerThatWantsACertificateGetsTheClients() {
    assertRefused(TRUSTED, ServerTls.mutual());
    String client =
        "&tlsCert="
            + file(CERTIFICATES.client().certificate())
            + "&tlsKey="
            + file(CERTIFICATES.client().key());
    assertAccepted(TRUSTED + client, ServerTls.mutual());
  }

  @Test
  void aServerThatDoesNotSpeakTlsIsUnreachable() {
    DriverPort port =
        port("rediss://localhost:" + server.port() + "?connectTimeout=2s&" + TRUSTED, TIMEOUT);
    assertFailure(failure(sent(port, "k", "PING")), FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
  }

  @Test
  void aHandshakeWithASilentServerEndsInTime() {
    FaultyProxy hole = closing(FaultyProxy.to(server));
    hole.blackHole();
    DriverPort port =
        port("rediss://localhost:" + hole.port() + "?connectTimeout=1s&" + TRUSTED, SHORT);
    assertFailure(failure(sent(port, "k", "PING")), FailureKind.UNREACHABLE, FailureKind.TIMEOUT);
    port.close();
    hole.heal();
    eventually(() -> hole.openConnections() == 0);
  }

  private void assertRefused(String options, ServerTls tls) {
    DriverPort port = port(url(proxy(tls), options), TIMEOUT);
    assertFailure(
        failure(sent(port, "k", "SET", "refused", "x")),
        FailureKind.UNREACHABLE,
        FailureKind.TIMEOUT,
        FailureKind.CONNECTION_LOST);
    assertThat(server.command("EXISTS", "refused")).isEqualTo(0L);
  }

  private void assertAccepted(String options, ServerTls tls) {
    assertThat(works(port(url(proxy(tls), options), TIMEOUT), "k")).isTrue();
  }

  private static String url(TlsProxy proxy, String options) {
    return "rediss://localhost:" + proxy.port() + (options.isEmpty() ? "" : "?" + options);
  }

  private TlsProxy proxy(ServerTls tls) {
    return closing(TlsProxy.to(server, tls));
  }

  private static String file(Path path) {
    return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
  }
}
