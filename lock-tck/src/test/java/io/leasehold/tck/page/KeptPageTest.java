package io.leasehold.tck.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The page that is kept beside the reports that are kept. */
class KeptPageTest {

  @Test
  void itIsMadeOfTheReportsBesideIt() throws IOException {
    Path page = Samples.KEPT.resolve("index.html");
    String made = CertificationPage.of(Samples.KEPT).html();
    assertThat(Files.exists(page) && Files.readString(page).equals(made))
        .as("docs/certification/index.html is what docs/certification/make-page makes; run it")
        .isTrue();
  }
}
