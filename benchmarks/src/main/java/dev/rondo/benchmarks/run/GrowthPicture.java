package dev.rondo.benchmarks.run;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/// [Growth] as SVG: small panels side by side with logarithmic axes, so that a constant cost is a
/// flat line, and a cost proportional to the size rises like the diagonal.
final class GrowthPicture {

  private static final int COLUMNS = 3;
  private static final int WIDTH = 300;
  private static final int HEIGHT = 230;
  private static final int LEFT = 48;
  private static final int RIGHT = 12;
  private static final int TOP = 48;
  private static final int BOTTOM = 30;
  private static final int LEAST_DECADES = 2;
  private static final List<String> COLORS = List.of("#1f5fbf", "#888888", "#c2571a");

  private final StringBuilder svg = new StringBuilder();

  private GrowthPicture() {}

  /// The axes of a panel; marks are powers of ten.
  ///
  /// @param lowX the exponent of ten at the left edge
  /// @param lowY the exponent of ten at the lower edge
  private record Axes(int lowX, int highX, int lowY, int highY) {

    static Axes of(List<Growth.Line> lines) {
      double least = Double.MAX_VALUE;
      double most = 0;
      long largest = 1;
      for (Growth.Line line : lines) {
        for (Map.Entry<Long, Double> point : line.points().entrySet()) {
          least = Math.min(least, point.getValue());
          most = Math.max(most, point.getValue());
          largest = Math.max(largest, point.getKey());
        }
      }
      int lowY = (int) Math.floor(Math.log10(least));
      int highY = Math.max(lowY + LEAST_DECADES, (int) Math.ceil(Math.log10(most)));
      return new Axes(0, Math.max(1, (int) Math.ceil(Math.log10((double) largest))), lowY, highY);
    }

    double x(long size) {
      return LEFT + (WIDTH - LEFT - RIGHT) * (Math.log10((double) size) - lowX) / (highX - lowX);
    }

    double y(double nanos) {
      return HEIGHT
          - BOTTOM
          - (HEIGHT - TOP - BOTTOM) * (Math.log10(nanos) - lowY) / (highY - lowY);
    }
  }

  static String of(Results results) {
    var picture = new GrowthPicture();
    int shown = 0;
    for (Growth.Panel panel : Growth.PANELS) {
      List<Growth.Line> lines = Growth.lines(panel, results);
      if (!lines.isEmpty()) {
        picture.add(
            String.format(
                Locale.ROOT,
                "<g transform=\"translate(%d,%d)\">%n",
                shown % COLUMNS * WIDTH,
                shown / COLUMNS * HEIGHT));
        picture.panel(panel, lines);
        picture.add("</g>\n");
        shown++;
      }
    }
    int rows = (shown + COLUMNS - 1) / COLUMNS;
    return String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                + " font-family=\"sans-serif\" font-size=\"10\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            Math.min(shown, COLUMNS) * WIDTH,
            rows * HEIGHT)
        + picture.svg
        + "</svg>\n";
  }

  private void add(String lines) {
    svg.append(lines);
  }

  private void text(double x, double y, String anchor, String color, String text) {
    add(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            color,
            text));
  }

  private void panel(Growth.Panel panel, List<Growth.Line> lines) {
    text(LEFT, 16, "start", "black", panel.title() + ": ns");
    Axes axes = Axes.of(lines);
    for (int decade = axes.lowX; decade <= axes.highX; decade++) {
      double x = axes.x(powerOfTen(decade));
      grid(x, TOP, x, HEIGHT - BOTTOM);
      text(x, HEIGHT - BOTTOM + 14, "middle", "black", power(decade));
    }
    for (int decade = axes.lowY; decade <= axes.highY; decade++) {
      double y = axes.y(Math.pow(10, decade));
      grid(LEFT, y, WIDTH - RIGHT, y);
      text(LEFT - 4, y + 3, "end", "black", power(decade));
    }
    double legend = LEFT;
    for (int i = 0; i < lines.size(); i++) {
      String color = COLORS.get(i % COLORS.size());
      line(lines.get(i), axes, color);
      text(legend, 32, "start", color, lines.get(i).who());
      legend += 12 + 6 * lines.get(i).who().length();
    }
  }

  private void grid(double x1, double y1, double x2, double y2) {
    add(
        String.format(
            Locale.ROOT,
            "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#dddddd\"/>%n",
            x1,
            y1,
            x2,
            y2));
  }

  private void line(Growth.Line line, Axes axes, String color) {
    var path = new StringBuilder();
    line.points()
        .forEach((size, nanos) ->
            path.append(
                String.format(
                    Locale.ROOT,
                    "%s%.1f %.1f",
                    path.isEmpty() ? "M" : "L",
                    axes.x(size),
                    axes.y(nanos))));
    add(
        String.format(
            Locale.ROOT,
            "<path d=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\"/>%n",
            path,
            color));
    line.points()
        .forEach((size, nanos) ->
            add(
                String.format(
                    Locale.ROOT,
                    "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.4\" fill=\"%s\"><title>%,d: %s"
                        + " ns</title></circle>%n",
                    axes.x(size),
                    axes.y(nanos),
                    color,
                    size,
                    Table.number(nanos))));
  }

  private static long powerOfTen(int decade) {
    return Math.round(Math.pow(10, decade));
  }

  private static String power(int decade) {
    return switch (decade) {
      case 0 -> "1";
      case 1 -> "10";
      default -> "10<tspan dy=\"-3\" font-size=\"7\">" + decade + "</tspan>";
    };
  }
}
