package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

final class GrowthTest {

  private final Results results = new Results();

  private void add(String who, long size, double nanos) {
    results.add(new Sample(new Row("switch", "ring=" + size, who, "ns/op"), nanos));
  }

  private void addLine() {
    add("rondo", 10_000, 120);
    add("rondo", 1, 80);
    add("rondo", 100, 90);
  }

  @Test
  void lines_rowsOfOneWorkload_areInTheOrderOfTheirSize() {
    addLine();
    add("nobody", 1, 1);

    List<Growth.Line> lines = Growth.lines(Growth.PANELS.get(0), results);

    assertEquals(
        List.of(
            new Growth.Line("rondo", new TreeMap<>(Map.of(1L, 80.0, 100L, 90.0, 10_000L, 120.0)))),
        lines);
  }

  @Test
  void lines_tooFewPoints_areNone() {
    add("rondo", 1, 80);
    add("rondo", 100, 80);

    assertFalse(Growth.isIn(results));
  }

  @Test
  void table_sizeThatOneLineLacks_isLeftEmpty() {
    addLine();
    add("kotlinx", 1, 20);
    add("kotlinx", 100, 25);
    add("kotlinx", 1_000_000, 2_000);

    String table = Growth.table(results);

    assertTrue(table.contains("| ring | rondo | kotlinx |"), table);
    assertTrue(table.contains("| 10,000 | 120.0 |  |"), table);
    assertTrue(table.contains("| 1,000,000 |  | 2,000 |"), table);
  }

  @Test
  void picture_lines_isWellFormedAndInsideItsFrame() throws Exception {
    addLine();

    String svg = GrowthPicture.of(results);

    var document =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(svg)));
    int width = Integer.parseInt(document.getDocumentElement().getAttribute("width"));
    int height = Integer.parseInt(document.getDocumentElement().getAttribute("height"));
    var circles = document.getElementsByTagName("circle");
    assertEquals(3, circles.getLength());
    for (int i = 0; i < circles.getLength(); i++) {
      var attributes = circles.item(i).getAttributes();
      double x = Double.parseDouble(attributes.getNamedItem("cx").getNodeValue());
      double y = Double.parseDouble(attributes.getNamedItem("cy").getNodeValue());
      assertTrue(0 < x && x < width, () -> "x=" + x);
      assertTrue(0 < y && y < height, () -> "y=" + y);
    }
  }
}
