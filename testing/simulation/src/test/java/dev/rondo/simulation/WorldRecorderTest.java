package dev.rondo.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.exploration.internal.FailureFiles;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.io.UdpSocket;
import dev.rondo.observe.RecordedEvent;
import dev.rondo.observe.RecordedEvent.Kind;
import dev.rondo.observe.Recorder;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a world keeps of its last events.
class WorldRecorderTest {

  private static final int PORT = 7;

  @TempDir private Path pictures;

  @BeforeEach
  void setDirectory() {
    System.setProperty(FailureFiles.DIRECTORY_PROPERTY, pictures.toString());
  }

  @AfterEach
  void clearDirectory() {
    System.clearProperty(FailureFiles.DIRECTORY_PROPERTY);
  }

  private static World recorded() {
    return World.withSeed(1)
        .applications(builder -> builder.backend(CoroutineBackends.continuation()))
        .recorder(1_000);
  }

  private static void serve(WorldHost host) throws IOException {
    try (TcpListener listener =
        host.application().io().listen(new InetSocketAddress(host.address(), PORT))) {
      while (true) {
        try (TcpSocket peer = listener.accept()) {
          peer.readLine(100);
          peer.write(ByteBuffer.wrap("stored\n".getBytes(UTF_8)));
        }
      }
    }
  }

  private static void ask(WorldHost host, WorldHost server) throws IOException {
    try (TcpSocket socket =
        host.application().io().connect(new InetSocketAddress(server.address(), PORT))) {
      socket.write(ByteBuffer.wrap("x = 1\n".getBytes(UTF_8)));
      socket.readLine(100);
    }
  }

  private static List<RecordedEvent> of(Recording recording, Kind kind) {
    return recording.events().stream().filter(each -> each.kind() == kind).toList();
  }

  @Test
  void recording_ofAnExchange_hasItsMessagesWithTheirContent() {
    try (World world = recorded()) {
      WorldHost server = world.host("server", WorldRecorderTest::serve);
      world.host("client", host -> ask(host, server));
      world.runFor(Duration.ofSeconds(1));
      Recording recording = world.recording();
      RecordedEvent question =
          of(recording, Kind.SENT).stream()
              .filter(each -> each.detail().equals("x = 1\n"))
              .findFirst()
              .orElseThrow();
      assertEquals("client", question.lane());
      assertEquals("server", question.peer());
      assertEquals("DATA of 6 B: x = 1\n", question.text());
      assertEquals("main", question.task().name());
      RecordedEvent arrival =
          of(recording, Kind.ARRIVED).stream()
              .filter(each -> each.cause() == question.number())
              .findFirst()
              .orElseThrow();
      assertEquals("server", arrival.lane());
      assertEquals(Duration.ofNanos(100_000), arrival.at().minus(question.at()));
    }
  }

  /// {@return how a datagram is described}
  private static String described(byte[] content) {
    try (World world = recorded()) {
      WorldHost receiver = world.host("receiver", host -> {});
      world.host(
          "sender",
          host -> {
            try (UdpSocket socket =
                UdpSocket.open(host.application().io(), new InetSocketAddress(0))) {
              socket.send(
                  ByteBuffer.wrap(content), new InetSocketAddress(receiver.address(), PORT));
            }
          });
      world.runFor(Duration.ofSeconds(1));
      return of(world.recording(), Kind.SENT).getFirst().text();
    }
  }

  @Test
  void recording_aPacket_hasTheBeginningOfText() {
    assertEquals(
        "DATAGRAM of 40 B: " + "x".repeat(32) + "..", described("x".repeat(40).getBytes(UTF_8)));
    assertEquals("DATAGRAM of 13 B: ....put key=1", described("\0\0\0\tput key=1".getBytes(UTF_8)));
    assertEquals("DATAGRAM of 9 B", described("a\0b\0c\0d\0e".getBytes(UTF_8)));
    assertEquals("DATAGRAM", described(new byte[0]));
  }

  @Test
  void recording_aCutLink_hasTheLossAndWhy() {
    try (World world = recorded()) {
      WorldHost server = world.host("server", WorldRecorderTest::serve);
      WorldHost client = world.host("client", host -> ask(host, server));
      world.network().links(List.of(server.simulated()), List.of(client.simulated())).cut();
      world.runFor(Duration.ofMillis(1));
      RecordedEvent loss = of(world.recording(), Kind.LOST).getFirst();
      assertEquals("SYN, the link is cut", loss.text());
      assertEquals("client", loss.lane());
      assertEquals("server", loss.peer());
      world.network().links().heal();
      world.runFor(Duration.ofSeconds(5));
    }
  }

  @Test
  void recording_aCrash_isAFaultOfItsHostAndEndsTheWaitsOfItsTasks() {
    try (World world = recorded()) {
      WorldHost server = world.host("server", WorldRecorderTest::serve);
      world.runFor(Duration.ofSeconds(1));
      server.crash();
      RecordedEvent fault = of(world.recording(), Kind.FAULT).getFirst();
      assertEquals("server", fault.lane());
      assertEquals("crash of host 'server'", fault.text());
      assertTrue(
          world.recording().tasks().stream()
              .allMatch(each -> each.state() == null || each.state().isDone()));
      assertEquals("main", world.recording().tasks().getFirst().name());
    }
  }

  /// An emoji is a pair of characters.
  @Test
  void recording_aLongPrintedLine_isCutAtACharacter() {
    try (World world = recorded()) {
      String line = "x".repeat(199) + "\ud83d\ude00" + "y";
      world.printed(world.host("server", host -> {}), line);
      RecordedEvent note = of(world.recording(), Kind.NOTE).getFirst();
      assertEquals("prints: " + "x".repeat(199) + "..", note.text());
      assertEquals(line, note.detail());
    }
  }

  // Disks.

  private static List<String> texts(Recording recording, Kind kind) {
    return of(recording, kind).stream().map(RecordedEvent::text).toList();
  }

  @Test
  void recording_operationsOnADisk_areNotesOfTheirTaskWithTheContent() {
    try (World world = recorded()) {
      world.host(
          "store",
          host -> {
            Path data = host.disk().path("/data");
            Files.createDirectory(data);
            Path draft = data.resolve("draft");
            try (FileChannel file = FileChannel.open(draft, CREATE, WRITE)) {
              file.write(UTF_8.encode("x = 1"));
              file.force(true);
              file.truncate(3);
            }
            Files.writeString(data.resolve("old"), "");
            Files.move(draft, data.resolve("old"), REPLACE_EXISTING);
            try (FileChannel folder = FileChannel.open(data, READ)) {
              folder.force(true);
            }
            Files.readString(data.resolve("old"));
            Files.delete(data.resolve("old"));
          });
      world.runFor(Duration.ofSeconds(1));
      List<RecordedEvent> notes = of(world.recording(), Kind.NOTE);
      assertEquals(
          List.of(
              "makes the directory /data",
              "creates /data/draft",
              "writes 5 B to /data/draft at 0",
              "forces /data/draft",
              "truncates /data/draft to 3 B",
              "creates /data/old",
              "deletes /data/old",
              "renames /data/draft to /data/old",
              "forces /data",
              "deletes /data/old"),
          notes.stream().map(RecordedEvent::text).toList());
      assertEquals("x = 1", notes.get(2).detail());
      assertEquals("store", notes.get(2).lane());
      assertEquals("main", notes.get(2).task().name());
    }
  }

  @Test
  void recording_operationsThatFail_areThere() {
    try (World world = recorded()) {
      world.host(
          "store",
          host -> {
            Path log = host.disk().path("/log");
            try (FileChannel file = FileChannel.open(log, CREATE, WRITE, READ)) {
              host.disk().failNth(DiskOperation.WRITE, "/log", 1);
              assertThrows(IOException.class, () -> file.write(UTF_8.encode("x")));
              host.disk().failNth(DiskOperation.FORCE, "/log", 1);
              assertThrows(IOException.class, () -> file.force(true));
              host.disk().failNth(DiskOperation.READ, "/log", 1);
              assertThrows(IOException.class, () -> file.read(ByteBuffer.allocate(1)));
              host.disk().capacity(0);
              assertThrows(IOException.class, () -> file.write(UTF_8.encode("x")));
            }
          });
      world.runFor(Duration.ofSeconds(1));
      assertEquals(
          List.of(
              "creates /log",
              "write of /log fails",
              "force of /log fails",
              "read of /log fails",
              "write of /log fails: No space left on device"),
          texts(world.recording(), Kind.NOTE));
    }
  }

  /// With seeds until each kind of loss was seen.
  @Test
  void recording_aPowerFailure_hasWhatIsLost() {
    var losses = new TreeSet<String>();
    for (long seed = 0; seed < 30; seed++) {
      try (World world = World.withSeed(seed).recorder(1_000)) {
        WorldHost store = world.host("store", WorldRecorderTest::writeAndForget);
        world.runFor(Duration.ofSeconds(1));
        store.powerOff();
        Recording recording = world.recording();
        List<String> faults = texts(recording, Kind.FAULT);
        assertEquals("powerOff of host 'store'", faults.getFirst());
        assertEquals(
            Files.notExists(store.disk().path("/new")),
            faults.contains("without power: /new is gone"),
            faults::toString);
        faults.stream().skip(1).map(each -> each.replaceAll("[0-9]+", "n")).forEach(losses::add);
      }
    }
    assertEquals(
        List.of(
            "without power: /deleted is back",
            "without power: /draft is back",
            "without power: /log has n of n B",
            "without power: /log has n of n B, which differ from byte n on",
            "without power: /new is gone",
            "without power: /replaced is the earlier one again"),
        List.copyOf(losses));
  }

  private static void writeAndForget(WorldHost host) throws IOException {
    SimulatedDisk disk = host.disk();
    Files.writeString(disk.path("/log"), "old");
    Files.writeString(disk.path("/deleted"), "old");
    Files.writeString(disk.path("/replaced"), "old");
    disk.sync();
    Files.writeString(disk.path("/log"), "newer and longer");
    Files.writeString(disk.path("/new"), "");
    Files.delete(disk.path("/deleted"));
    Files.writeString(disk.path("/draft"), "");
    Files.move(disk.path("/draft"), disk.path("/replaced"), ATOMIC_MOVE);
  }

  /// The choices are the same, and so is what is left.
  @Test
  void recorder_ofADisk_changesNothing() throws IOException {
    for (long seed = 0; seed < 5; seed++) {
      var left = new ArrayList<String>();
      for (World world : List.of(World.withSeed(seed), World.withSeed(seed).recorder(100))) {
        WorldHost store = world.host("store", WorldRecorderTest::writeAndForget);
        world.runFor(Duration.ofSeconds(1));
        store.powerOff();
        Path log = store.disk().path("/log");
        left.add(world.digest() + (Files.exists(log) ? Files.readString(log) : ""));
        world.close();
      }
      assertEquals(left.getFirst(), left.getLast());
    }
  }

  private static String noteOf(Throwable failure) {
    assertFalse(failure.getMessage().contains("drawn in "), failure.getMessage());
    assertEquals(1, failure.getSuppressed().length);
    return Objects.requireNonNull(failure.getSuppressed()[0].getMessage());
  }

  @Test
  void recorderOfTheCaller_hasTheEvents_andTheFailureHasNoNote() {
    Recorder recorder = Recorder.ofCapacity(1_000);
    World world = World.withSeed(1).recorder(recorder);
    assertThrows(IllegalStateException.class, () -> world.recorder(Recorder.ofCapacity(1)));
    world.recorder(1); // the caller's is kept
    assertThrows(IllegalStateException.class, () -> world.recorder(1));
    world.host("server", WorldRecorderTest::serve);
    world.runFor(Duration.ofSeconds(1));
    assertEquals(world.recording().events(), recorder.recording().events());
    assertEquals("server", of(recorder.recording(), Kind.WAIT).getFirst().lane());
    world.close();

    World failing = World.withSeed(1).recorder(Recorder.ofCapacity(1_000));
    failing.host("server", WorldRecorderTest::serve);
    failing.always("nothing is wrong", () -> false);
    var failed =
        assertThrows(SimulationFailedError.class, () -> failing.runFor(Duration.ofSeconds(1)));
    assertEquals(0, failed.getSuppressed().length);
  }

  @Test
  void failure_ofATask_hasTheTimelineAndThePage() throws IOException {
    World world = recorded();
    world.host(
        "server",
        host -> {
          throw new IllegalStateException("no more");
        });
    var failed =
        assertThrows(SimulationFailedError.class, () -> world.runFor(Duration.ofSeconds(1)));
    String note = noteOf(failed);
    assertTrue(
        note.contains(
            "FAILS: host 'server', task 'main': java.lang.IllegalStateException: no more\n"
                + "drawn in "),
        note);
    Path page = Path.of(note.substring(note.indexOf("drawn in ") + "drawn in ".length()));
    assertTrue(Files.readString(page).contains("no more"));
    world.close();
  }

  @Test
  void failure_ofACheck_hasTheTimelineWithTheCheckLast() {
    World world = recorded();
    world.host("server", WorldRecorderTest::serve);
    world.always("nothing is wrong", () -> false);
    var failed =
        assertThrows(SimulationFailedError.class, () -> world.runFor(Duration.ofSeconds(1)));
    String note = noteOf(failed);
    assertTrue(note.contains("FAILS: 'nothing is wrong' does not hold\ndrawn in "), note);
  }

  @Test
  void recorder_changesNothing_theDigestIsTheSame() {
    long[] digests = new long[2];
    for (int i = 0; i < digests.length; i++) {
      try (World world = i == 0 ? World.withSeed(1) : World.withSeed(1).recorder(10)) {
        WorldHost server = world.host("server", WorldRecorderTest::serve);
        world.hosts("host", 3, host -> ask(host, server));
        world.runFor(Duration.ofSeconds(1));
        digests[i] = world.digest();
      }
    }
    assertEquals(digests[0], digests[1]);
  }

  @Test
  void recording_ofTheSameSeed_isTheSameText() {
    String[] texts = new String[2];
    for (int i = 0; i < texts.length; i++) {
      try (World world = recorded()) {
        WorldHost server = world.host("server", WorldRecorderTest::serve);
        world.hosts("host", 3, host -> ask(host, server));
        world.runFor(Duration.ofSeconds(1));
        texts[i] = RecordingPicture.text(world.recording(), 1_000);
      }
    }
    assertFalse(texts[0].isEmpty());
    assertEquals(texts[0], texts[1]);
  }

  @Test
  void recorder_afterAHost_isRefused() {
    try (World world = World.withSeed(1)) {
      assertThrows(IllegalStateException.class, world::recording);
      world.host("host", host -> {});
      assertThrows(IllegalStateException.class, () -> world.recorder(10));
    }
  }
}
