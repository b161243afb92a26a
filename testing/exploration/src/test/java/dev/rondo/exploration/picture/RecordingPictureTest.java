package dev.rondo.exploration.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.observe.Observers;
import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.Recording;
import dev.rondo.observe.internal.RecorderCore;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/// Pictures of recordings whose time is set by the test.
class RecordingPictureTest {

  private static final String HOSTILE =
      "</script><img src=x onerror=\"alert('1')\">&]]>\u0000\u202e\ud800\n";

  private long now;
  private final RecorderCore recorder = new RecorderCore(10_000).timedBy(() -> now).withDetails();

  /// Two tasks of one scheduler, and a failure.
  private Recording ofTasks() {
    try (Scheduler scheduler =
        Scheduler.builder().instrument(new Observers().recorder(recorder)).build()) {
      Task<Void> counter =
          scheduler.newTask(
              "counter",
              () -> {
                scheduler.yield();
                now += 1_000_000;
                scheduler.yield();
              });
      scheduler.spawn("joins", () -> counter.join());
      scheduler.scheduleTask(counter);
      scheduler.start();
      recorder.failure("the count is 1, not 2", null);
      return Recorder.of(scheduler).recording();
    }
  }

  /// Two hosts: a message that arrives, one that is lost, and a crash.
  private Recording ofHosts() {
    long first =
        recorder.note(
            RecordedEvent.Kind.SENT,
            "client",
            "store",
            RecordedEvent.NO_CAUSE,
            "DATA 3 B",
            "put x=1");
    now += 100_000;
    recorder.note(RecordedEvent.Kind.ARRIVED, "store", "client", first, "DATA 3 B", "");
    recorder.note(
        RecordedEvent.Kind.FAULT, "store", "", RecordedEvent.NO_CAUSE, "crash of host 'store'", "");
    long second =
        recorder.note(
            RecordedEvent.Kind.SENT,
            "client",
            "store",
            RecordedEvent.NO_CAUSE,
            "DATA 4 B",
            "get x");
    now += 100_000;
    recorder.note(RecordedEvent.Kind.LOST, "client", "store", second, "the host is down", "");
    recorder.failure("x is gone", new AssertionError());
    return recorder.recording();
  }

  private static Document parsed(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  private static List<Element> elements(Document document, String name, String type) {
    NodeList all = document.getElementsByTagName(name);
    var found = new ArrayList<Element>();
    for (int i = 0; i < all.getLength(); i++) {
      var each = (Element) all.item(i);
      if (List.of(each.getAttribute("class").split(" ")).contains(type)) {
        found.add(each);
      }
    }
    return found;
  }

  @Test
  void svg_timesOfALongRun_areNotClipped() throws Exception {
    now = Duration.ofDays(100).toNanos();
    recorder.note(
        RecordedEvent.Kind.FAULT, "store", "", RecordedEvent.NO_CAUSE, "crash of host 'store'", "");
    Element time =
        elements(parsed(RecordingPicture.svg(recorder.recording(), 10)), "text", "time").getFirst();
    assertEquals("8640000.000000 s", time.getTextContent());
    double ofACharacter = 7.2; // of this font
    assertTrue(
        Integer.parseInt(time.getAttribute("x")) >= time.getTextContent().length() * ofACharacter);
  }

  /// The row before them may be out of sight.
  @Test
  void svg_faultAndFailure_haveTheirTimes() throws Exception {
    List<String> times =
        elements(parsed(RecordingPicture.svg(ofHosts(), 10)), "text", "time").stream()
            .map(Element::getTextContent)
            .toList();
    assertEquals(
        List.of("0.000000 s", "0.000100 s", "0.000100 s", "0.000200 s", "0.000200 s"), times);
  }

  // Text.

  @Test
  void text_ofTasks_hasALineForEachEventAndTheFailureLast() {
    assertEquals(
        """
        what has happened:
          0.000000 s  counter  is made
          0.000000 s  joins    is made
          0.000000 s  joins    runs
          0.000000 s  joins    waits for task 'counter' (READY), held by 'counter'
          0.000000 s  counter  runs, 2 turns
          0.001000 s  counter  runs
          0.001000 s  joins    is woken by counter
          0.001000 s  counter  ends
          0.001000 s  joins    runs
          0.001000 s  joins    ends
          0.001000 s           FAILS: the count is 1, not 2
        """,
        RecordingPicture.text(ofTasks(), 40));
  }

  @Test
  void text_ofHosts_hasTheirNames() {
    assertEquals(
        """
        what has happened:
          0.000000 s  client  sends to store: DATA 3 B
          0.000100 s  store   receives from client: DATA 3 B
          0.000100 s  store   FAULT: crash of host 'store'
          0.000100 s  client  sends to store: DATA 4 B
          0.000200 s  client  what it sent to store does not arrive: the host is down
          0.000200 s          FAILS: x is gone
        """,
        RecordingPicture.text(ofHosts(), 40));
  }

  @Test
  void text_moreEventsThanLines_hasTheLastAndSaysHowManyAreMissing() {
    String text = RecordingPicture.text(ofTasks(), 2);
    assertTrue(text.startsWith("after 10 other events:\n"), text);
    assertEquals(3, text.lines().count());
    assertTrue(text.endsWith("FAILS: the count is 1, not 2\n"), text);
  }

  /// A service has dozens of threads, whose turns would hide the messages.
  @Test
  void textOfANote_ofHosts_hasNoTurns() {
    ofTasks();
    assertEquals(
        """
        after 8 other events, without the turns of tasks:
          0.001000 s          counter  ends
          0.001000 s          joins    ends
          0.001000 s                   FAILS: the count is 1, not 2
          0.001000 s  client           sends to store: DATA 3 B
          0.001100 s  store            receives from client: DATA 3 B
          0.001100 s  store            FAULT: crash of host 'store'
          0.001100 s  client           sends to store: DATA 4 B
          0.001200 s  client           what it sent to store does not arrive: the host is down
          0.001200 s                   FAILS: x is gone
        """,
        new TimelineText(ofHosts(), 40, true).make());
  }

  @Test
  void text_tasksThatWait_areAboveWithWhatTheyWaitFor() {
    String[] text = new String[1];
    try (Scheduler scheduler =
        Scheduler.builder().instrument(new Observers().recorder(recorder)).build()) {
      Task<Void> looks =
          scheduler.newTask(
              "looks",
              () -> {
                scheduler.yield();
                text[0] = RecordingPicture.text(Recorder.of(scheduler).recording(), 1);
              });
      scheduler.scheduleTask(looks);
      scheduler.spawn("joins", () -> looks.join());
      scheduler.start();
    }
    assertTrue(
        text[0].startsWith(
            """
            waiting at the end:
              joins waits for task 'looks' (RUNNING), held by looks
            after\
            """),
        text[0]);
  }

  /// One line among the events; all of it above them, and below the mouse.
  @Test
  void failure_ofSeveralLines_isWholeOnThePage() throws Exception {
    recorder.failure("no order explains the answers\n  a is 1\n  a is 2", null);
    Recording recording = recorder.recording();
    assertTrue(
        RecordingPicture.text(recording, 40).endsWith("FAILS: no order explains the answers\n"));
    String html = RecordingPicture.html(recording, "store");
    assertTrue(
        html.contains("<pre class=\"failing\">no order explains the answers\n  a is 1\n  a is 2<"),
        html);
    Document svg = parsed(RecordingPicture.svg(recording, 40));
    String title =
        elements(svg, "g", "row").getFirst().getElementsByTagName("title").item(0).getTextContent();
    assertEquals("0.000000 s  FAILS: no order explains the answers\n  a is 1\n  a is 2", title);
  }

  @Test
  void nameOfATask_thatIsTooLongForItsColumn_isWholeBelowTheMouse() throws Exception {
    String name = "serves the connection from 10.0.0.4:32771";
    try (Scheduler scheduler =
        Scheduler.builder().instrument(new Observers().recorder(recorder)).build()) {
      scheduler.spawn(name, () -> {});
      scheduler.start();
    }
    Document svg = parsed(RecordingPicture.svg(recorder.recording(), 40));
    Element row = elements(svg, "g", "row").getFirst();
    assertEquals(
        "serves the connec\u2026", elements(svg, "text", "task").getFirst().getTextContent());
    assertEquals(
        "0.000000 s  " + name + "  is made",
        row.getElementsByTagName("title").item(0).getTextContent());
  }

  // SVG.

  @Test
  void svg_ofHosts_hasLanesArrowsALossAndAFault() throws Exception {
    Document svg = parsed(RecordingPicture.svg(ofHosts(), 100));
    assertEquals(2, elements(svg, "g", "head").size());
    assertEquals(6, elements(svg, "g", "row").size());
    assertEquals(2, elements(svg, "line", "message").size());
    assertEquals(1, elements(svg, "line", "lost").size());
    assertEquals(1, elements(svg, "path", "cross").size());
    assertEquals(1, elements(svg, "rect", "fault").size());
    assertEquals(1, elements(svg, "rect", "failure").size());
    Element arrow = elements(svg, "line", "message").getFirst();
    assertTrue(
        Integer.parseInt(arrow.getAttribute("y1")) < Integer.parseInt(arrow.getAttribute("y2")));
  }

  @Test
  void svg_ofTasks_hasTurnsAndWaitsAsBars() throws Exception {
    Document svg = parsed(RecordingPicture.svg(ofTasks(), 100));
    assertEquals(2, elements(svg, "g", "head").size());
    assertEquals(4, elements(svg, "rect", "turn").size());
    assertEquals(1, elements(svg, "rect", "wait").size());
    assertEquals(1, elements(svg, "line", "call").size()); // the wake
  }

  @Test
  void svg_fewerRowsThanEvents_hasTheLast() throws Exception {
    Document svg = parsed(RecordingPicture.svg(ofHosts(), 2));
    List<Element> rows = elements(svg, "g", "row");
    assertEquals(2, rows.size());
    assertTrue(rows.getLast().getTextContent().contains("x is gone"));
  }

  @Test
  void svg_aRow_showsTheContentOfItsMessageOnDemand() throws Exception {
    Document svg = parsed(RecordingPicture.svg(ofHosts(), 100));
    Element first = elements(svg, "g", "row").getFirst();
    String title = first.getElementsByTagName("title").item(0).getTextContent();
    assertTrue(title.endsWith("\nput x=1"), title);
  }

  @Test
  void svg_hostileNames_areTextAndNothingElse() throws Exception {
    Document svg = parsed(RecordingPicture.svg(hostile(), 100));
    assertEquals(0, svg.getElementsByTagName("script").getLength());
    assertEquals(0, svg.getElementsByTagName("img").getLength());
  }

  @Test
  void svg_manyTasks_haveTheLastLaneTogether() throws Exception {
    try (Scheduler scheduler =
        Scheduler.builder().instrument(new Observers().recorder(recorder)).build()) {
      for (int i = 0; i < 100; i++) {
        scheduler.spawn("task " + i, () -> scheduler.yield());
      }
      scheduler.start();
      Document svg = parsed(RecordingPicture.svg(Recorder.of(scheduler).recording(), 1_000));
      List<Element> heads = elements(svg, "g", "head");
      assertEquals(24, heads.size());
      assertTrue(heads.getLast().getTextContent().startsWith("other tasks"));
    }
  }

  @Test
  void svg_nothingRecorded_isWellFormed() throws Exception {
    assertEquals(
        0, elements(parsed(RecordingPicture.svg(recorder.recording(), 1)), "g", "row").size());
  }

  // HTML.

  private Recording hostile() {
    recorder.note(RecordedEvent.Kind.FAULT, HOSTILE, "", RecordedEvent.NO_CAUSE, HOSTILE, "");
    long _ =
        recorder.note(
            RecordedEvent.Kind.SENT,
            HOSTILE,
            HOSTILE + "2",
            RecordedEvent.NO_CAUSE,
            HOSTILE,
            HOSTILE);
    try (Scheduler scheduler =
        Scheduler.builder().instrument(recorder.instrument(HOSTILE)).build()) {
      scheduler.spawn(HOSTILE, () -> recorder.note("", HOSTILE, HOSTILE));
      scheduler.start();
      recorder.failure(HOSTILE, null);
      return Recorder.of(scheduler).recording();
    }
  }

  @Test
  void html_hostileNames_areTextAndNothingElse() {
    String page = RecordingPicture.html(hostile(), HOSTILE);
    assertFalse(page.contains("<img"), page);
    assertEquals(1, count(page, "<script"));
    assertEquals(1, count(page, "</script"));
    assertFalse(page.contains("onerror=\"") || page.contains("onerror='"), page);
    assertTrue(page.codePoints().noneMatch(each -> each == 0 || each == 0x202e || each == 0xd800));
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void html_ofHosts_hasTheFailureAndLoadsNothing() {
    String page = RecordingPicture.html(ofHosts(), "a run");
    assertTrue(page.contains("<pre class=\"failing\">x is gone</pre>"), page);
    assertTrue(page.contains("put x=1"));
    assertFalse(page.contains(" src=") || page.contains("@import") || page.contains("<link"));
  }

  @Test
  void html_manyEvents_areInParts() {
    for (int i = 0; i < 1_000; i++) {
      recorder.note("host", "note " + i, "");
    }
    assertEquals(4, count(RecordingPicture.html(recorder.recording(), "many"), "<section>"));
  }

  @Test
  void html_moreEventsThanAPageHas_showsTheLast() {
    for (int i = 0; i < 7_000; i++) {
      recorder.note("host", "note " + i, "");
    }
    String page = RecordingPicture.html(recorder.recording(), "many");
    assertTrue(page.contains("after 1,000 that are not here"));
    assertFalse(page.contains(">note 999<"));
    assertTrue(page.contains(">note 1000<"));
    assertTrue(page.contains(">note 6999<"));
  }

  // Files.

  @Test
  void main_aFile_makesThePage(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("run.recording");
    ofHosts().writeTo(file);
    Path page = folder.resolve("run.html");
    RecordingPicture.main(new String[] {file.toString(), page.toString()});
    assertEquals(
        RecordingPicture.html(Recording.read(file), file.toString()), Files.readString(page));
    Path diagram = folder.resolve("run.svg");
    RecordingPicture.main(new String[] {file.toString(), diagram.toString()});
    assertTrue(Files.readString(diagram).startsWith("<svg"));
  }

  @Test
  void keep_aNameThatIsNoFileName_isWrittenAllTheSame(@TempDir Path folder) throws IOException {
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, folder.resolve("pictures").toString());
    try {
      Path page = RecordingPicture.keep(ofHosts(), "../a test(1), <seed> 42");
      assertEquals(folder.resolve("pictures").resolve("..-a-test-1-seed-42.html"), page);
      assertTrue(Files.readString(page).contains("<h1>../a test(1), &lt;seed&gt; 42</h1>"));
      Recording _ = Recording.read(page.resolveSibling("..-a-test-1-seed-42.recording"));
    } finally {
      System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
    }
  }

  @Test
  void wrongArguments_areRefused() {
    Recording empty = recorder.recording();
    assertThrows(IllegalArgumentException.class, () -> RecordingPicture.text(empty, 0));
    assertThrows(IllegalArgumentException.class, () -> RecordingPicture.svg(empty, 0));
    assertThrows(IllegalArgumentException.class, () -> RecordingPicture.main(new String[] {}));
  }
}
