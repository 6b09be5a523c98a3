package io.leasehold.tck.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One HTML file that shows what was certified: a verdict, a matrix of subjects and requirements,
 * and, where they are given, the totals of a fault campaign and time lines of its runs. It loads
 * nothing, so it can be read from a disk, sent by mail, or kept beside a release.
 *
 * <pre>{@code
 * CertificationPage.of(Path.of("target/certification")).writeTo(Path.of("target/page.html"));
 * }</pre>
 *
 * The documents go into the page as they are, and become visible as text only: a report may come
 * from anybody. The same documents give the same bytes. Immutable.
 */
public final class CertificationPage {
  private final List<Document> documents;

  private CertificationPage(List<Document> documents) {
    this.documents = List.copyOf(documents);
  }

  /**
   * A page of all files of a folder whose names end in {@code .json}, in the order of their names.
   * Each is a report, the results of a campaign ({@code campaign.json}; one at most), or a time
   * line of a run ({@code timeline.json}), and is told by what it holds. Folders in it are left
   * alone.
   *
   * @throws IllegalArgumentException when one of them is none of these, or there is no report; the
   *     message names the file
   * @throws IOException when they cannot be read
   */
  public static CertificationPage of(Path folder) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files =
          all.filter(Files::isRegularFile)
              .filter(file -> name(file).endsWith(".json"))
              .sorted((a, b) -> name(a).compareTo(name(b)))
              .toList();
    }
    List<Document> documents = new ArrayList<>();
    for (Path file : files) {
      documents.add(Document.of(name(file), read(file)));
    }
    if (documents.stream().noneMatch(Document::isReport)) {
      throw new IllegalArgumentException(folder + ": no report of a certification (*.json) there");
    }
    List<String> campaigns =
        documents.stream().filter(Document::isCampaign).map(Document::name).toList();
    if (campaigns.size() > 1) {
      throw new IllegalArgumentException(
          folder + ": the results of more than one campaign: " + String.join(", ", campaigns));
    }
    return new CertificationPage(documents);
  }

  /**
   * A page of one report.
   *
   * @param json the report for machines
   * @throws IllegalArgumentException when it is not one
   */
  public static CertificationPage ofReport(String json) {
    Document document = Document.of("report.json", json);
    if (!document.isReport()) {
      throw new IllegalArgumentException("report.json: not the report of a certification");
    }
    return new CertificationPage(List.of(document));
  }

  /** The page. */
  public String html() {
    return Template.fill(documents);
  }

  /**
   * Writes the page, in UTF-8.
   *
   * @param file is replaced; its folder is made if need be
   * @return the file
   * @throws IOException when it cannot be written
   */
  public Path writeTo(Path file) throws IOException {
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      Files.createDirectories(folder);
    }
    return Files.writeString(file, html());
  }

  /**
   * Makes a page of a folder: {@code java -cp lock-tck.jar io.leasehold.tck.page.CertificationPage
   * target/certification page.html}.
   *
   * @param arguments the folder, and the file to be written
   */
  public static void main(String... arguments) {
    if (arguments.length != 2) {
      fail("usage: CertificationPage <folder of *.json> <file.html>");
    }
    try {
      System.out.println(of(Path.of(arguments[0])).writeTo(Path.of(arguments[1])));
    } catch (IllegalArgumentException e) {
      fail(String.valueOf(e.getMessage()));
    } catch (IOException | UncheckedIOException e) {
      fail(e.toString());
    }
  }

  private static void fail(String message) {
    System.err.println(message);
    System.exit(1);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException(name(file) + ": not in UTF-8", e);
    }
  }
}
