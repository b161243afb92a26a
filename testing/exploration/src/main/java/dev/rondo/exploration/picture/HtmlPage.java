package dev.rondo.exploration.picture;

import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedEvent.Kind;
import dev.rondo.observe.Recording;
import java.util.List;

/// A recording as a page of its own for a browser. The diagram is in parts of some hundred rows,
/// the last one first. All that is known of a row appears below the mouse. It loads nothing.
final class HtmlPage {

  private static final int ROWS_OF_PART = 300;

  /// Earlier events are left out: a browser is slow with more.
  private static final int MOST_ROWS = 6_000;

  private static final String SCRIPT =
      """

      const parts = [...document.querySelectorAll('section')];
      const detail = document.getElementById('detail');
      const earlier = document.getElementById('earlier');
      const later = document.getElementById('later');
      const where = document.getElementById('where');
      let shown = parts.length - 1;
      let held = null;
      function show(part) {
        shown = Math.max(0, Math.min(parts.length - 1, part));
        parts.forEach((each, i) => { each.hidden = i !== shown; });
        earlier.disabled = shown === 0;
        later.disabled = shown === parts.length - 1;
        where.textContent = parts.length === 0 ? 'nothing' : 'part ' + (shown + 1) + ' of ' + parts.length;
      }
      function describe(row) {
        const text = row && row.querySelector('desc');
        if (text) { detail.textContent = text.textContent; }
      }
      document.addEventListener('mouseover', event => {
        if (!held) { describe(event.target.closest('.row, .bar')); }
      });
      document.addEventListener('click', event => {
        const row = event.target.closest('.row, .bar');
        held = row === held ? null : row;
        describe(row);
      });
      earlier.addEventListener('click', () => show(shown - 1));
      later.addEventListener('click', () => show(shown + 1));
      document.addEventListener('keydown', event => {
        if (event.key === 'Escape') { held = null; detail.textContent = ''; }
      });
      show(shown);
      if (parts.length > 0) { parts[shown].scrollTop = parts[shown].scrollHeight; }
      """;

  private final Recording recording;
  private final String title;
  private final List<Row> rows;
  private final StringBuilder html = new StringBuilder();

  HtmlPage(Recording recording, String title) {
    this.recording = recording;
    this.title = title;
    List<Row> all = Row.of(recording.events());
    this.rows = all.subList(Math.max(0, all.size() - MOST_ROWS), all.size());
  }

  String make() {
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.append(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
            + " 'unsafe-inline'; script-src 'unsafe-inline'\">\n");
    html.append("<title>").append(Markup.escaped(title)).append("</title>\n");
    html.append("<style>").append(Style.OF_PAGE).append("</style>\n</head>\n<body>\n");
    html.append("<h1>").append(Markup.escaped(title)).append("</h1>\n");
    failure();
    count();
    waits();
    legend();
    html.append(
        "<div class=\"pages\"><button id=\"earlier\">earlier</button><span"
            + " id=\"where\"></span><button id=\"later\">later</button></div>\n");
    for (int from = 0; from < rows.size(); from += ROWS_OF_PART) {
      int to = Math.min(rows.size(), from + ROWS_OF_PART);
      html.append("<section>\n")
          .append(new SvgDiagram(rows, from, to).makeHeads())
          .append(new SvgDiagram(rows, from, to).make(false))
          .append("</section>\n");
    }
    html.append("<pre id=\"detail\"></pre>\n<script>").append(SCRIPT).append("</script>\n");
    return html.append("</body>\n</html>\n").toString();
  }

  private void failure() {
    recording.events().stream()
        .filter(each -> each.kind() == Kind.FAILURE)
        .reduce((earlier, later) -> later)
        .map(RecordedEvent::text)
        .ifPresent(text ->
            html.append("<pre class=\"failing\">").append(Markup.escaped(text)).append("</pre>\n"));
  }

  private void count() {
    long before = rows.isEmpty() ? recording.overwritten() : rows.getFirst().event().number();
    html.append("<p>%,d events".formatted(recording.events().size()));
    if (before > 0) {
      html.append(", after %,d that are not here".formatted(before));
    }
    html.append(". Time goes downwards, one row for each event. Rest the mouse on a row for what")
        .append(" is in a message and for stacks; click to keep it.</p>\n");
  }

  private void waits() {
    List<String> waits = EventText.waits(recording.tasks());
    if (waits.isEmpty()) {
      return;
    }
    html.append("<details class=\"waiting\" open><summary>Waiting at the end</summary><pre>");
    waits.forEach(each -> html.append(Markup.escaped(each)).append('\n'));
    html.append("</pre></details>\n");
  }

  private void legend() {
    html.append("<p class=\"legend\">");
    key("turn", "a turn");
    key("wait", "a wait");
    key("message", "a message");
    key("call", "a task makes, wakes or cancels another");
    key("fault", "a fault");
    key("bad", "a loss, a cancellation, a failure");
    html.append("<span><i class=\"dot\"></i>anything else</span>");
    html.append("</p>\n");
  }

  private void key(String colour, String meaning) {
    html.append(
        "<span><i style=\"background: var(--%s)\"></i>%s</span>".formatted(colour, meaning));
  }
}
