package io.leasehold.ctl.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ctl.Ctl;
import io.leasehold.ctl.Ctl.Ended;
import io.leasehold.testkit.RedisServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What people and scripts get of it. */
class DoctorCommandTest {

  private static Ended run(String url, String... words) {
    try (Ctl ctl = Ctl.start(Map.of("LEASEHOLD_URL", url), words)) {
      Ended ended = ctl.await();
      assertThat(ended.out() + ended.err()).doesNotContain("s3cret");
      return ended;
    }
  }

  @Test
  void theExitCodeAndTheJsonTellTheSame() {
    try (RedisServer server =
        RedisServer.builder().password("s3cret-pw").config("appendfsync always").start()) {
      String url = Said.url(server).replace("127.0.0.1", ":s3cret-pw@127.0.0.1");
      Ended well = run(url, "doctor", "--json");
      assertThat(well.code()).as(well.out() + well.err()).isZero();
      assertThat(new JsonObject(well.out()).getString("verdict")).isEqualTo("ok");

      server.command("CONFIG", "SET", "appendfsync", "everysec");
      Ended warned = run(url, "doctor", "--json");
      assertThat(warned.code()).isEqualTo(1);
      JsonObject report = new JsonObject(warned.out());
      assertThat(report.getString("verdict")).isEqualTo("warn");
      assertThat(report.getLong("warn")).isEqualTo(1);
      assertThat(report.getLong("bad")).isZero();
      assertThat(run(url, "doctor", "--strict").code()).isEqualTo(2);

      server.command("CONFIG", "SET", "maxmemory", "1gb");
      server.command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
      Ended bad = run(url, "doctor");
      assertThat(bad.code()).isEqualTo(2);
      assertThat(bad.out())
          .contains("127.0.0.1:" + server.port())
          .containsPattern("eviction +maxmemory 1.00G with volatile-ttl")
          .contains("CONFIG SET maxmemory-policy noeviction", "[docs/doctor.md#eviction]")
          .contains("1 to think about, 1 bad, 0 unknown");
    }
  }

  @Test
  void whatIsNotOfRedisCannotBeExamined() {
    Ended ended = run("lock:mem://here", "doctor");
    assertThat(ended.code()).isEqualTo(64);
    assertThat(ended.err()).contains("Only servers of Redis");
  }

  @Test
  void thePageExplainsEachCheckAndNoOther() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "doctor.md"));
    List<String> explained =
        Pattern.compile("(?m)^### (\\S+)$")
            .matcher(page)
            .results()
            .map((MatchResult heading) -> heading.group(1))
            .toList();
    assertThat(explained)
        .containsExactlyInAnyOrderElementsOf(Arrays.stream(Check.values()).map(Check::id).toList());
  }
}
