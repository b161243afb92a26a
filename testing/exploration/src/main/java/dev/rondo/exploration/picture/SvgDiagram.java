package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedEvent.Kind;
import dev.rondo.scheduler.internal.ReportText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Rows of a timeline as an SVG. Each event has a line, with its time on the left, the lanes in the
/// middle, and what has happened on the right. So no label is above another.
///
/// Time goes downwards, one row for each event, not to scale. Turns and waits are bars in the lane
/// of their host or task, messages arrows from where they are sent to where they arrive.
final class SvgDiagram {

  private static final int ROW = 20;
  private static final int TOP = 34;
  private static final int LEAST_TIME_WIDTH = 104;
  private static final int MARGIN = 12;

  /// Of a monospaced font of 12 pixels.
  private static final double CHARACTER = 7.23;

  private static final int MOST_TEXT = 100;
  private static final int MOST_TASK = 18;
  private static final int WIDEST_LANE = 96;
  private static final int NARROWEST_LANE = 34;
  private static final int LANES_WIDTH = 560;

  private static final int TURN_WIDTH = 8;
  private static final int WAIT_WIDTH = 4;
  private static final int SLOT = 7;
  private static final int DOT = 3;
  private static final int ARROW = 6;

  private final List<Row> rows;
  private final int from;
  private final int to;
  private final Lanes lanes;
  private final List<Bar> bars;
  private final int timeWidth;
  private final int laneWidth;
  private final int textStart;
  private final int taskCharacters;
  private final int textCharacters;
  private final StringBuilder svg = new StringBuilder();

  /// In which row each message is sent.
  private final Map<Long, Integer> sent = new HashMap<>();

  /// @param rows all
  /// @param from the first to draw
  /// @param to the one behind the last to draw
  SvgDiagram(List<Row> rows, int from, int to) {
    this.rows = rows;
    this.from = from;
    this.to = to;
    this.lanes = Lanes.of(rows, from, to);
    this.bars = Bar.of(rows.subList(0, to), lanes);
    this.laneWidth =
        Math.clamp(LANES_WIDTH / Math.max(1, lanes.size()), NARROWEST_LANE, WIDEST_LANE);
    this.timeWidth = timeWidth(rows.subList(from, to));
    this.textStart = timeWidth + lanes.size() * laneWidth + MARGIN;
    this.textCharacters =
        rows.subList(from, to).stream()
            .mapToInt(row -> Math.min(MOST_TEXT, row.text().length()))
            .max()
            .orElse(0);
    this.taskCharacters =
        rows.subList(from, to).stream().mapToInt(row -> label(row).length()).max().orElse(0);
    for (int i = 0; i < to; i++) {
      RecordedEvent event = rows.get(i).event();
      if (event.kind() == Kind.SENT) {
        sent.put(event.number(), i);
      }
    }
  }

  /// @param details whether each row has what else is known of it as its title, which browsers
  ///   show; otherwise it is its description, for a script
  String make(boolean details) {
    int width = width();
    int height = TOP + (to - from) * ROW + MARGIN;
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
            .formatted(width, height, width, height));
    svg.append("<style>").append(Style.OF_DIAGRAM).append("</style>\n");
    svg.append("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n".formatted(width, height));
    for (int i = from; i < to; i++) {
      stripe(i, width);
    }
    heads(height - MARGIN);
    String hint = details ? "title" : "desc";
    for (int i = from; i < to; i++) {
      row(i, width, hint);
    }
    bars.forEach(bar -> bar(bar, hint));
    for (int i = from; i < to; i++) {
      arrows(i);
    }
    for (int i = from; i < to; i++) {
      dot(i);
    }
    return svg.append("</svg>\n").toString();
  }

  /// {@return the heads of the lanes alone, to stay where they are while the rest is scrolled}
  String makeHeads() {
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"heads\" width=\"%d\" height=\"%d\">\n"
            .formatted(width(), TOP));
    svg.append("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n".formatted(width(), TOP));
    heads(TOP);
    return svg.append("</svg>\n").toString();
  }

  // Places.

  /// The times of long runs are long.
  private static int timeWidth(List<Row> rows) {
    int characters =
        rows.stream().mapToInt(row -> EventText.time(row.event()).length()).max().orElse(0);
    return Math.max(LEAST_TIME_WIDTH, (int) (characters * CHARACTER) + 2 * MARGIN);
  }

  private int width() {
    return textStart + (int) ((taskCharacters + 2 + textCharacters) * CHARACTER) + MARGIN;
  }

  private int x(int lane) {
    return timeWidth + lane * laneWidth + laneWidth / 2;
  }

  private int y(int row) {
    return TOP + (row - from) * ROW + ROW / 2;
  }

  // Parts.

  /// The background of a row that matters more than others.
  private void stripe(int i, int width) {
    RecordedEvent event = rows.get(i).event();
    if (isMarked(event)) {
      svg.append(
          "<rect class=\"stripe %s\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n"
              .formatted(classOf(event.kind()), y(i) - ROW / 2, width, ROW));
    }
  }

  private static boolean isMarked(RecordedEvent event) {
    return event.kind() == Kind.FAULT || event.kind() == Kind.FAILURE;
  }

  /// @param bottom where the lines of the lanes end
  private void heads(int bottom) {
    int most = (int) ((laneWidth - DOT) / CHARACTER);
    for (int lane = 0; lane < lanes.size(); lane++) {
      String name = ReportText.escaped(lanes.names().get(lane));
      svg.append(
          "<g class=\"head\"><title>%s</title><line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/><text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text></g>\n"
              .formatted(
                  Markup.escaped(name),
                  x(lane),
                  TOP - DOT,
                  x(lane),
                  bottom,
                  x(lane),
                  TOP - MARGIN,
                  Markup.escaped(Markup.cut(name, Math.max(1, most)))));
    }
  }

  private void bar(Bar bar, String hint) {
    if (bar.last() < from || bar.first() >= to) {
      return;
    }
    int slots = Math.max(1, (laneWidth / 2 - TURN_WIDTH) / SLOT);
    if (bar.slot() > slots) {
      return; // there is no room: the rows say it
    }
    int top = bar.first() < from ? TOP : y(bar.first());
    int bottom = y(bar.last());
    boolean turn = bar.isTurn();
    int width = turn ? TURN_WIDTH : WAIT_WIDTH;
    int left = x(bar.lane()) + (turn ? 0 : bar.slot() * SLOT) - width / 2;
    int rise = turn ? DOT : 0;
    svg.append(
        "<rect class=\"bar %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\"><%s>%s</%s></rect>\n"
            .formatted(
                turn ? "turn" : "wait",
                left,
                top - rise,
                width,
                Math.max(bottom - top + 2 * rise, DOT),
                hint,
                Markup.escaped(bar.text()),
                hint));
  }

  private void arrows(int i) {
    RecordedEvent event = rows.get(i).event();
    int lane = lanes.of(event);
    switch (event.kind()) {
      case ARRIVED, LOST -> message(i, event);
      case WAKE, SPAWN, CANCEL -> {
        int other = lanes.task(event.other());
        if (other != Lanes.NONE && lane != Lanes.NONE && other != lane) {
          arrow("call", x(other), y(i), x(lane), y(i));
        }
      }
      case TURN, WAIT, END, NOTE, SENT, FAULT, FAILURE -> {}
    }
  }

  private void message(int i, RecordedEvent event) {
    boolean lost = event.kind() == Kind.LOST;
    int sender = lanes.host(lost ? event.lane() : event.peer());
    int receiver = lanes.host(lost ? event.peer() : event.lane());
    if (sender == Lanes.NONE || receiver == Lanes.NONE || sender == receiver) {
      return;
    }
    Integer start = sent.get(event.cause());
    int top = start == null ? TOP : Math.max(TOP, y(start));
    int end = y(i);
    if (lost) {
      int x = x(receiver) - Integer.signum(receiver - sender) * laneWidth / 3;
      line("message lost", x(sender), top, x, end);
      svg.append("<path class=\"cross\" d=\"M%d %dl8 8m0 -8l-8 8\"/>\n".formatted(x - 4, end - 4));
    } else {
      arrow("message", x(sender), top, x(receiver), end);
    }
  }

  private void line(String type, int x1, int y1, int x2, int y2) {
    svg.append(
        "<line class=\"%s\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
            .formatted(type, x1, y1, x2, y2));
  }

  /// Ends at the edge of the dot that is drawn there.
  private void arrow(String type, int x1, int y1, int toX, int toY) {
    double angle = Math.atan2(toY - y1, toX - x1);
    int x2 = (int) Math.round(toX - DOT * Math.cos(angle));
    int y2 = (int) Math.round(toY - DOT * Math.sin(angle));
    line(type, x1, y1, x2, y2);
    svg.append("<path class=\"tip %s\" d=\"M%d %d".formatted(type, x2, y2));
    for (double side : new double[] {2.7, -2.7}) {
      svg.append(
          " L%d %d"
              .formatted(
                  Math.round(x2 + ARROW * Math.cos(angle + side)),
                  Math.round(y2 + ARROW * Math.sin(angle + side))));
    }
    svg.append("z\"/>\n");
  }

  private void row(int i, int width, String hint) {
    Row row = rows.get(i);
    RecordedEvent event = row.event();
    int y = y(i);
    svg.append("<g class=\"row ").append(classOf(event.kind())).append("\">");
    svg.append("<%s>%s</%s>".formatted(hint, Markup.escaped(description(row)), hint));
    svg.append(
        "<rect class=\"hit\" x=\"0\" y=\"%d\" width=\"%d\" height=\"%d\"/>"
            .formatted(y - ROW / 2, width, ROW));
    if (i == from || isMarked(event) || !rows.get(i - 1).event().at().equals(event.at())) {
      text("time", timeWidth - MARGIN, y, EventText.time(event), " text-anchor=\"end\"");
    }
    text("task", textStart, y, label(row), "");
    int start = textStart + (int) ((taskCharacters + (taskCharacters == 0 ? 0 : 2)) * CHARACTER);
    text("what", start, y, Markup.cut(row.text(), MOST_TEXT), "");
    svg.append("</g>\n");
  }

  private void dot(int i) {
    RecordedEvent event = rows.get(i).event();
    int lane = lanes.of(event);
    if (lane != Lanes.NONE && event.kind() != Kind.TURN && event.kind() != Kind.LOST) {
      svg.append(
          "<circle class=\"%s\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n"
              .formatted(classOf(event.kind()), x(lane), y(i), DOT));
    }
  }

  /// Host or task.
  private static String label(Row row) {
    return label(row, MOST_TASK);
  }

  /// @param most characters of each
  private static String label(Row row, int most) {
    String task = Markup.cut(ReportText.escaped(row.task()), most);
    String host = Markup.cut(ReportText.escaped(row.event().lane()), most);
    return host.isEmpty() || task.isEmpty() ? host + task : host + "/" + task;
  }

  private String description(Row row) {
    RecordedEvent event = row.event();
    var text = new StringBuilder();
    text.append(EventText.time(event)).append("  ");
    String where = label(row, MOST_TEXT);
    text.append(where).append(where.isEmpty() ? "" : "  ").append(row.text());
    EventText.details(event).forEach(line -> text.append('\n').append(line));
    return text.toString();
  }

  private void text(String type, int x, int y, String content, String attributes) {
    if (!content.isEmpty()) {
      svg.append(
          "<text class=\"%s\" x=\"%d\" y=\"%d\"%s>%s</text>"
              .formatted(type, x, y + 4, attributes, Markup.escaped(content)));
    }
  }

  private static String classOf(Kind kind) {
    return switch (kind) {
      case FAULT -> "fault";
      case FAILURE -> "failure";
      case LOST -> "lost";
      case SENT, ARRIVED -> "sent";
      case WAIT -> "waits";
      case CANCEL -> "cancel";
      case END -> "end";
      case SPAWN, TURN, WAKE -> "plain";
      case NOTE -> "note";
    };
  }
}
