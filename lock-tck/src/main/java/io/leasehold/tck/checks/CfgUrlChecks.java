package io.leasehold.tck.checks;

import static io.leasehold.tck.Requirement.CFG_4;
import static io.leasehold.tck.Requirement.CFG_6;

import io.leasehold.LockConfigurationException;
import io.leasehold.spi.ErrorCode;
import io.leasehold.spi.LockUrl;
import io.leasehold.tck.bench.Bench;
import io.leasehold.tck.bench.Expect;
import io.leasehold.tck.bench.Verifies;
import java.util.List;
import java.util.concurrent.Callable;

/** CFG-4 and CFG-6: URLs and their options. */
final class CfgUrlChecks {

  @Verifies(CFG_4)
  void anUnknownOptionIsRefusedByItsName(Bench bench) {
    expectRefused(
        () -> bench.client().url(with(bench, "nonsense=1")).open(),
        ErrorCode.UNKNOWN_OPTION,
        "nonsense");
    expectRefused(
        () -> bench.client().option("nonsense", "1").open(), ErrorCode.UNKNOWN_OPTION, "nonsense");
    // Keys are case-sensitive: one that is nearly right is wrong.
    expectRefused(
        () -> bench.client().url(with(bench, "Waittime=1s")).open(),
        ErrorCode.UNKNOWN_OPTION,
        "Waittime");
  }

  @Verifies(CFG_4)
  void anOptionOfAProviderThatItDoesNotKnowIsRefusedByItsName(Bench bench) {
    // A node's label begins with the name of its provider.
    String provider = bench.node().node().label().split("[^a-z0-9-]", 2)[0];
    for (String key : List.of(provider + ".nonsense", "nobody.nonsense")) {
      expectRefused(
          () -> bench.client().url(with(bench, key + "=1")).open(), ErrorCode.UNKNOWN_OPTION, key);
      expectRefused(() -> bench.client().option(key, "1").open(), ErrorCode.UNKNOWN_OPTION, key);
    }
  }

  @Verifies(CFG_4)
  void aRepeatedOptionIsRefusedByItsName(Bench bench) {
    expectRefused(
        () -> bench.client().url(with(bench, "waitTime=5s&waitTime=6s")).open(),
        ErrorCode.REPEATED_OPTION,
        "waitTime");
    expectRefused(
        () -> bench.client().url(with(bench, "waitTime=5s&renewal=on&waitTime=5s")).open(),
        ErrorCode.REPEATED_OPTION,
        "waitTime");
  }

  @Verifies(CFG_4)
  void aValueThatAnOptionCannotHaveIsRefusedByItsName(Bench bench) {
    expectRefused(
        () -> bench.client().url(with(bench, "renewal=perhaps")).open(),
        ErrorCode.BAD_VALUE,
        "renewal");
    expectRefused(
        () -> bench.client().option("commandTimeout", "soon").open(),
        ErrorCode.BAD_VALUE,
        "commandTimeout");
  }

  /** The subject's URL with something more in its query. */
  private static String with(Bench bench, String query) {
    String url = bench.subject().url();
    return url + (url.indexOf('?') < 0 ? '?' : '&') + query;
  }

  private static void expectRefused(Callable<?> open, ErrorCode code, String key) {
    LockConfigurationException refused =
        Expect.thrown(LockConfigurationException.class, open, "opening with the option " + key);
    Expect.equal(key, refused.key(), "the key that the error names");
    Expect.equal(code, refused.code(), "the code of the error about " + key);
    Expect.that(
        String.valueOf(refused.getMessage()).contains(key),
        "the message about the option " + key + " must name it");
  }

  @Verifies(CFG_6)
  void aMalformedUrlIsATypedError(Bench bench) {
    String scheme = LockUrl.parse(bench.subject().url()).scheme();
    String start = "lock:" + scheme + "://";
    for (String url :
        List.of(
            "",
            " ",
            "lock:",
            "nonsense",
            scheme + "://host",
            "lock:" + scheme,
            "lock:" + scheme + ":/host",
            "lock://host",
            "lock::" + scheme + "://host",
            "lock:a:b:c:" + scheme + "://host",
            "lock:no such scheme://host",
            start,
            start + ":6379",
            start + "host:",
            start + "host:port",
            start + "host:0",
            start + "host:65536",
            start + "host:-1",
            start + "a,,b",
            start + "a,",
            start + "[::1",
            start + "ho st",
            start + "user@host",
            start + "a:b@c:d@host",
            start + "us%er:password@host",
            start + "host/db",
            start + "host/-1",
            start + "host/99999999999",
            start + "host#fragment",
            start + "host?waitTime",
            start + "host?=5s",
            start + "host?waitTime=5s&",
            start + "host?waitTime=%zz",
            start + "host?waitTime=%ff",
            start + "h".repeat(10_000))) {
      String shown = url.length() > 100 ? "a URL of 10,000 characters" : "\"" + url + "\"";
      LockConfigurationException refused =
          Expect.thrown(
              LockConfigurationException.class,
              () -> bench.client().url(url).open(),
              "opening " + shown);
      Expect.that(refused.code() == ErrorCode.MALFORMED_URL, "the code of the error for " + shown);
    }
  }
}
