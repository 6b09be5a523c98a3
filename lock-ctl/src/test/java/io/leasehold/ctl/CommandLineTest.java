package io.leasehold.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.ctl.Ctl.Ended;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The pieces, and what all commands have in common. */
class CommandLineTest {

  @Test
  void theCompletionScriptIsValidBashAndKnowsTheCommands(@TempDir Path folder) throws Exception {
    Ended ended = Ctl.run("generate-completion");
    assertThat(ended.code()).isZero();
    Path script = Files.writeString(folder.resolve("completion"), ended.out());
    Process bash = new ProcessBuilder("bash", "-n", script.toString()).start();
    assertThat(bash.waitFor()).isZero();
    Process complete =
        new ProcessBuilder(
                "bash",
                "-c",
                "source \"$0\"; COMP_WORDS=(lockctl re); COMP_CWORD=1; _complete_lockctl;"
                    + " echo \"${COMPREPLY[*]}\"",
                script.toString())
            .start();
    assertThat(new String(complete.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("release");
  }

  @Test
  void everyCommandHasHelpAndSpeaksJson() {
    CommandLine line = Lockctl.commandLine();
    assertThat(line.getSubcommands())
        .containsKeys("run", "list", "inspect", "watch", "release", "vouch", "certify", "bench")
        .containsKeys("doctor", "demo", "providers");
    line.getSubcommands()
        .forEach(
            (name, command) -> {
              boolean hidden = command.getCommandSpec().usageMessage().hidden();
              if (!hidden && !List.of("help", "generate-completion").contains(name)) {
                assertThat(command.getCommandSpec().optionsMap())
                    .as(name)
                    .containsKeys("--help", "--json", "--verbose");
                assertThat(command.getUsageMessage()).as(name).contains("lockctl " + name);
              }
            });
  }

  @Test
  void withoutACommandItSaysHowItIsUsed() {
    Ended ended = Ctl.run();
    assertThat(ended.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(Ctl.run("--version").out()).startsWith("lockctl ");
    assertThat(Ctl.run("run", "--help").out()).contains("--conflict-exit-code");
  }

  @ParameterizedTest
  @CsvSource({
    "lock:redis://h, lock:jedis:redis://h",
    "lock:redis-cluster://u:p@h, lock:jedis:redis-cluster://u:p@h",
    "lock:lettuce:redis://h, lock:lettuce:redis://h",
    "'lock:redlock:redis://a,b,c', 'lock:redlock:jedis:redis://a,b,c'",
    "'lock:redlock:vertx:redis://a,b,c', 'lock:redlock:vertx:redis://a,b,c'",
    "lock:mem://x, lock:mem://x"
  })
  void aUrlThatLeavesTheDriverOpenGetsOne(String given, String pinned) {
    assertThat(Drivers.pinned(given, "jedis")).isEqualTo(pinned);
  }

  @Test
  void noLoginIsLeftInAMessage() {
    assertThat(Output.withoutLogin("bad: lock:redis://u:p@s/s w@rd@host/0 and more"))
        .isEqualTo("bad: lock:redis://***@host/0 and more");
    assertThat(Output.withoutLogin("nothing secret")).isEqualTo("nothing secret");
  }

  @Test
  void jsonIsJson() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("text", "a \"quoted\" \\ line\nand \u0001 and \ud83d\udd12");
    members.put("list", List.of(1, 2L, true));
    members.put("none", Optional.empty());
    members.put("number", OptionalLong.of(7));
    members.put("nothing", OptionalLong.empty());
    JsonObject read = new JsonObject(Json.of(members));
    assertThat(read.getString("text")).isEqualTo(members.get("text"));
    assertThat(read.getJsonArray("list")).isEqualTo(new JsonArray().add(1).add(2).add(true));
    assertThat(read.containsKey("none")).isTrue();
    assertThat(read.getValue("none")).isNull();
    assertThat(read.getInteger("number")).isEqualTo(7);
    assertThat(read.getValue("nothing")).isNull();
  }

  @Test
  void durationsAreShownAsTheyAreWritten() {
    assertThat(Durations.shown(Duration.ofMillis(1_500))).isEqualTo("1500ms");
    assertThat(Durations.shown(Duration.ofSeconds(3))).isEqualTo("3s");
    assertThat(Durations.shown(Duration.ofSeconds(90))).isEqualTo("90s");
    assertThat(Durations.shown(Duration.ofMinutes(2))).isEqualTo("2m");
  }

  @Test
  void theForegroundIsToldByTheGroupOfTheTerminal() {
    assertThat(Terminal.isForeground("7 (a) b) S 1 7 7 34816 7 4194304 1\n")).isTrue();
    assertThat(Terminal.isForeground("7 (a) b) S 1 7 7 34816 9 4194304 1\n")).isFalse();
    assertThat(Terminal.isForeground("7 (cron) S 1 7 7 0 -1 4194304 1\n")).isFalse();
  }
}
