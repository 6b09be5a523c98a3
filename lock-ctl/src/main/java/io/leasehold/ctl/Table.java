package io.leasehold.ctl;

import io.leasehold.spi.Printable;
import java.util.List;

/** Rows of cells as lines of equal columns. */
public final class Table {
  private static final String GAP = "  ";

  private Table() {}

  /**
   * The lines, without blanks at their ends; the first row counts like the others. Cells are made
   * printable here already: columns are as wide as what is shown of them.
   */
  public static List<String> lines(List<List<String>> cells) {
    List<List<String>> rows =
        cells.stream().map(row -> row.stream().map(Printable::of).toList()).toList();
    int columns = rows.stream().mapToInt(List::size).max().orElse(0);
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length())).append(GAP);
    }
    return line.toString().stripTrailing();
  }
}
