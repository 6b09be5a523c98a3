package io.leasehold.tck.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are what they should be, and files that are not. */
class HistoryFilesTest {
  private static final String GOOD =
      """
      history 1 p%20q
      1 open 1
      2 acquire 2 1 mutex a,b%2C%C3%A4 -1
      3 granted 2 77 1000
      4 held 2 500
      5 note anything%20at%20all
      6 release 2 400
      7 released 2 released
      8 acquire 3 1 permit:2 s 0
      9 refused 3 busy
      10 force 4 a
      11 forced 4 no
      12 fault 5 kill server-1
      13 healed 5
      14 close 1
      15 closed 1
      """;

  private final Path folder;

  HistoryFilesTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path file(String text) throws IOException {
    Path file = folder.resolve("x.history");
    Files.writeString(file, text);
    return file;
  }

  private History read(String text) throws IOException {
    return History.read(List.of(file(text)));
  }

  @Test
  void whatIsWrittenIsRead() throws Exception {
    History history = read(GOOD);
    assertThat(history.calls()).hasSize(2);
    Acquisition first = history.calls().get(0);
    assertThat(first.process()).isEqualTo("p q");
    assertThat(first.locks()).containsExactly("a", "b,ä");
    assertThat(first.token()).hasValue(77);
    assertThat(first.ending()).contains(Ending.RELEASED);
    assertThat(history.calls().get(1).refusal()).contains(Refusal.BUSY);
    assertThat(history.faults()).containsExactly(new History.Fault("kill", "server-1", 12, 13));
  }

  @Test
  void anUnfinishedLastLineIsLeftOut() throws Exception {
    assertThat(read(GOOD + "16 nonse").calls()).hasSize(2);
    assertThat(read("history 1 p\n2 open 1\n3 acquire 2 1 mutex a").calls()).isEmpty();
    assertThat(read("histo").calls()).isEmpty();
    assertThat(read("").calls()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1  | history 1 p%20q       | histroy 1 p             | not that of a history
          1  | history 1 p%20q       | history 2 p             | not that of a history
          1  | history 1 p%20q       | history 1               | missing
          1  | history 1 p%20q       | history 1 p q           | too many
          2  | 1 open 1              | 1 opne 1                | unknown event
          2  | 1 open 1              | x open 1                | not a number
          2  | 1 open 1              | 1 open 1 1              | too many
          3  | 2 acquire 2 1         | 2 acquire 2 9           | not known
          3  | mutex a               | mtuex a                 | unknown
          3  | mutex a               | mutex:2 a               | permits have a number
          3  | a,b%2C%C3%A4          | a,,b                    | empty name
          3  | a,b%2C%C3%A4          | a,b%2                   | not a name
          3  | a,b%2C%C3%A4          | a,%FF                   | not UTF-8
          3  | a,b%2C%C3%A4          | a;b                     | not a name
          4  | 3 granted 2           | 3 granted 9             | not known
          4  | 3 granted 2           | 1 granted 2             | cannot end here
          4  | 77 1000               | 7x7 1000                | not a number
          4  | 77 1000               | 77 -1000                | negative
          5  | 4 held 2 500          | 4 held 3 500            | not known
          5  | 4 held 2 500          | 4 granted 2 5 500       | cannot end here
          7  | 6 release 2 400       | 6 released 2 released   | did not begin
          8  | 7 released 2 released | 7 release 2 400         | released twice
          8  | 7 released 2 released | 7 released 2 perhaps    | unknown
          8  | 7 released 2 released | 5 released 2 released   | did not begin
          9  | 8 acquire 3           | 8 acquire 2             | used twice
          9  | permit:2              | permit                  | permits have a number
          10 | 9 refused 3 busy      | 9 held 3 5              | has no lease
          12 | 11 forced 4 no        | 11 forced 9 no          | not known
          14 | 13 healed 5           | 11 healed 5             | before it begins
          14 | 13 healed 5           | 13  healed 5            | empty field
          """)
  void whatCannotBeIsAnErrorWithItsLine(int line, String right, String wrong, String message)
      throws Exception {
    assertThat(GOOD).contains(right);
    Path file = file(GOOD.replace(right, wrong));
    assertThatThrownBy(() -> History.read(List.of(file)))
        .asInstanceOf(type(MalformedHistoryException.class))
        .satisfies(error -> assertThat(error.line()).isEqualTo(line))
        .satisfies(error -> assertThat(error).hasMessageContaining(file + ":" + line + ": "))
        .satisfies(error -> assertThat(error).hasMessageContaining(message));
  }

  @Test
  void nonsenseIsATypedError() throws Exception {
    Random random = new Random(8);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = GOOD.getBytes(StandardCharsets.US_ASCII);
      for (int change = 0; change < 1 + i / 30; change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      Path file = folder.resolve("x.history");
      Files.write(file, bytes);
      try {
        HistoryChecker.check(History.read(List.of(file)), HistoryBounds.NONE);
      } catch (MalformedHistoryException e) {
        assertThat(e.line()).isPositive();
      }
    }
  }

  @Test
  void aLineWithoutEndIsAnErrorAndDoesNotFillTheMemory() throws Exception {
    Path file = file("history 1 " + "p".repeat(2_000_000) + "\n");
    assertThatThrownBy(() -> History.read(List.of(file)))
        .isInstanceOf(MalformedHistoryException.class)
        .hasMessageContaining("more than");
  }

  @Test
  void aFileThatIsNotThereIsToldSo() {
    assertThatThrownBy(() -> History.read(List.of(folder.resolve("nothing"))))
        .isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(() -> History.readFolder(folder.resolve("nothing")))
        .isInstanceOf(UncheckedIOException.class);
  }

  @Test
  void aFolderIsReadByTheNamesOfItsFiles() throws Exception {
    Files.writeString(folder.resolve("a.history"), GOOD);
    Files.writeString(folder.resolve("b.history"), GOOD);
    Files.writeString(folder.resolve("c.txt"), "something else");
    assertThat(History.readFolder(folder).calls()).hasSize(4);
  }

  @Test
  void anotherRecorderDoesNotWriteIntoAFileThatIsThere() throws Exception {
    Path file = file(GOOD);
    assertThatThrownBy(() -> HistoryRecorder.to(file, "p"))
        .isInstanceOf(UncheckedIOException.class);
    assertThat(Files.readString(file)).isEqualTo(GOOD);
  }

  @Test
  void namesOfAnyKindAreReadAsTheyWereWritten() {
    for (String name : List.of("a", "a b", "%", "ä/ö", "x,y", "\n\u0000", "🔒", "a:b*~-._")) {
      String written = Names.encoded(name);
      assertThat(written).matches("[!-~]+").doesNotContain(",");
      assertThat(Names.decoded(written)).isEqualTo(name);
    }
  }
}
