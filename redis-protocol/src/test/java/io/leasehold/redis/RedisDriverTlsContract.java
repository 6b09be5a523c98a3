package io.leasehold.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.spi.FailureKind;
import io.leasehold.testkit.FaultyProxy;
import io.leasehold.testkit.ServerTls;
import io.leasehold.testkit.TestCertificates;
import io.leasehold.testkit.TlsProxy;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What {@link Tls} says, as tests of a driver. */
public abstract class RedisDriverTlsContract extends RedisDriverFixture {
  private static final TestCertificates CERTIFICATES = TestCertificates.get();
  private static final String TRUSTED = "tlsCa=" + file(CERTIFICATES.ca());

  /** For the test of one driver. */
  protected RedisDriverTlsContract() {}

  @Test
  void aServerThatTheAuthorityVouchesForIsTrusted() {
    RedisDriver driver = driver("rediss://h/3?clientName=safe&" + TRUSTED);
    TlsProxy proxy = proxy(ServerTls.oneWay());
    RedisChannel channel = connected(driver, Endpoint.data("localhost", proxy.port()));
    assertThat(connectionsNamed("safe")).isEqualTo(1);
    Heard heard = new Heard();
    RedisListening listening =
        get(driver.listen(Endpoint.data("127.0.0.1", proxy.port()), new byte[] {7}, heard));
    sendOne(channel, "PUBLISH", new byte[] {7}, "x".repeat(100_000));
    eventually(() -> heard.messages.size() == 1);
    get(listening.probe(LONG));
    proxy.close();
    eventually(() -> heard.broken.get() == 1);
  }

  @Test
  void aServerOfAnotherAuthorityIsRefused() {
    assertRefused("rediss://h", ServerTls.oneWay());
    assertRefused("rediss://h?tlsVerify=chain", ServerTls.oneWay());
  }

  @Test
  void aServerWithAnotherNameIsRefusedUnlessOnlyTheChainCounts() {
    assertRefused("rediss://h?" + TRUSTED, ServerTls.wrongHost());
    connected(driver("rediss://h?tlsVerify=chain&" + TRUSTED), at(proxy(ServerTls.wrongHost())));
  }

  @Test
  void withoutVerificationEveryServerIsTrusted() {
    connected(driver("rediss://h?tlsVerify=off"), at(proxy(ServerTls.wrongHost())));
  }

  @Test
  void aServerThatWantsACertificateGetsTheClients() {
    TlsProxy proxy = proxy(ServerTls.mutual());
    assertFailure(
        failureToConnect(driver("rediss://h?clientName=bare&" + TRUSTED), at(proxy)),
        FailureKind.UNREACHABLE);
    String client =
        "&tlsCert="
            + file(CERTIFICATES.client().certificate())
            + "&tlsKey="
            + file(CERTIFICATES.client().key());
    connected(driver("rediss://h?" + TRUSTED + client), at(proxy));
  }

  @Test
  void aServerThatDoesNotSpeakTlsIsUnreachable() {
    assertFailure(
        failureToConnect(driver("rediss://h?connectTimeout=2s&" + TRUSTED), endpoint()),
        FailureKind.UNREACHABLE);
  }

  @Test
  void aHandshakeIntoABlackHoleTakesNoLongerThanTheConnectTimeout() {
    FaultyProxy hole = proxy();
    hole.blackHole();
    RedisDriver driver = driver("rediss://h?connectTimeout=1s&" + TRUSTED);
    long start = System.nanoTime();
    assertFailure(failureToConnect(driver, endpoint(hole)), FailureKind.UNREACHABLE);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(2500));
    assertNothingLeftOpen(hole);
  }

  private void assertRefused(String url, ServerTls server) {
    assertFailure(failureToConnect(driver(url), at(proxy(server))), FailureKind.UNREACHABLE);
  }

  private TlsProxy proxy(ServerTls tls) {
    return closing(TlsProxy.to(server(), tls));
  }

  private static Endpoint at(TlsProxy proxy) {
    return Endpoint.data(proxy.host(), proxy.port());
  }

  private static String file(Path path) {
    return URLEncoder.encode(path.toString(), StandardCharsets.UTF_8);
  }
}
