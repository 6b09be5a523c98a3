package io.leasehold.tck.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages in a real browser. After each test: no error, no message, nothing loaded. */
abstract class InBrowser {
  static Chromium chromium;
  static Path everything;

  final Path folder;
  Tab tab;

  InBrowser(Path folder) {
    this.folder = folder;
  }

  @BeforeAll
  static void start(@TempDir Path shared) throws Exception {
    Optional<Path> binary = Chromium.find();
    Assumptions.assumeTrue(binary.isPresent(), Chromium.WHERE);
    // Not in a folder that has to be empty in the end: a browser cleans up late.
    Path profile = Files.createTempDirectory(Path.of("target"), "chromium-");
    chromium = Chromium.start(binary.get(), profile);
    everything =
        CertificationPage.of(Samples.everything(shared.resolve("in")))
            .writeTo(shared.resolve("page.html"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (chromium != null) {
      chromium.stop();
    }
  }

  @BeforeEach
  void open() throws Exception {
    tab = chromium.tab().size(1280, 900, 1, false).scheme("light");
  }

  @AfterEach
  void nothingWasComplainedOfOrLoaded() throws Exception {
    assertThat(tab.complaints()).isEmpty();
    assertThat(tab.requests()).as("pages, and nothing else").isEqualTo(tab.opened());
    tab.shut();
  }

  /** A page of these documents. */
  final Path page(String... documents) throws IOException {
    for (int i = 0; i < documents.length; i++) {
      Files.writeString(folder.resolve(i + ".json"), documents[i]);
    }
    return CertificationPage.of(folder).writeTo(folder.resolve("page.html"));
  }
}
