package dev.rondo.examples.worlds;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.rondo.application.Application;
import dev.rondo.application.Chance;
import dev.rondo.exploration.picture.RecordingPicture;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.observe.Recording;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import dev.rondo.simulation.Chaos;
import dev.rondo.simulation.History;
import dev.rondo.simulation.OutsidePolicy;
import dev.rondo.simulation.World;
import dev.rondo.simulation.WorldHost;
import dev.rondo.simulation.model.Register;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A number in a file on one host, and two clients, during five stormy minutes: links fail,
/// programs die, disks are full. The answers to the clients are right nevertheless, and the same
/// seed makes the same storm.
final class StormyStore {

  private static final long SEED = 7;
  private static final int PORT = 7;
  private static final int LONGEST_LINE = 20;
  private static final Duration RARELY = Duration.ofMinutes(3);
  private static final Duration STORM = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration BETWEEN = Duration.ofSeconds(4);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Consumer<String> out;
  private int last;

  private StormyStore(Consumer<String> out) {
    this.out = out;
  }

  static void main() {
    run(IO::println);
  }

  static void run(Consumer<String> out) {
    World.checkDeterminism(SEED, world -> new StormyStore(_ -> {}).storm(world));
    out.accept("two runs with seed %d are the same".formatted(SEED));
    try (World world = World.withSeed(SEED).recorder(10_000)) {
      new StormyStore(out).storm(world);
      picture(world.recording(), out);
    }
  }

  private void storm(World world) {
    World _ =
        world
            .applications(
                it -> it.backend(CoroutineBackends.continuation())) // whose hosts can crash
            .patience(Duration.ofMinutes(1))
            .outsideCalls(OutsidePolicy.IGNORE); // no agent
    History<Register<Integer>, @Nullable Object> history = History.of(world);
    WorldHost store = world.host("store", StormyStore::store);
    List<WorldHost> clients = world.hosts("client", 2, host -> ask(host, store, history));
    WorldHost probe = world.host("probe", "10.1.0.1", host -> probe(host, store));
    WorldHost _ = probe.tolerate(IOException.class::isInstance);
    World _ = world.always("numbers are asked for before", () -> last >= 0);
    World _ = world.eventually("something is asked", () -> last > 0, Duration.ofMinutes(1));
    World _ = world.chaos(links()).chaos(programs(store)).chaos(disks(store));
    world.runFor(STORM);
    World _ = world.heal();

    history.requireLinearizable(Register.model(0));
    long unknown =
        history.invocations().stream().filter(it -> it.toString().contains("unknown")).count();
    out.accept(
        "%s, %d hosts: %d operations, of which %d had no answer; all others are right"
            .formatted(
                world.elapsed(), world.hosts().size(), history.invocations().size(), unknown));
    out.accept("the probe was refused: " + probe.toleratedFailures());
    out.accept("client-1 has asked: " + asked(history, "client-1"));
    world.report().lines().filter(it -> it.startsWith("faults")).forEach(out);
    long waiting = world.report().lines().filter(it -> it.contains("'main'")).count();
    out.accept("programs that wait: " + waiting);

    clients.forEach(each -> each.terminate(Duration.ZERO, SECOND));
    store.terminate(Duration.ZERO, SECOND);
    probe.terminate(SECOND, SECOND);
    world.runUntil(() -> !store.isUp(), PATIENCE);
    out.accept("files left open: " + store.disk().openFiles());
  }

  private static long asked(History<?, ?> history, String client) {
    return history.invocations().stream().filter(it -> it.process().equals(client)).count();
  }

  // Faults.

  private static Chaos links() {
    return Chaos.partitions()
        .and(Chaos.oneWayCuts())
        .and(Chaos.holds())
        .and(Chaos.losses(0.1))
        .and(Chaos.duplications(0.1))
        .and(Chaos.splits(0.5))
        .and(Chaos.latencySpikes(SECOND))
        .and(Chaos.slowLinks(1_000))
        .every(RARELY)
        .lasting(Duration.ofSeconds(5));
  }

  private static Chaos programs(WorldHost store) {
    return Chaos.crashes()
        .and(Chaos.powerFailures())
        .and(Chaos.pauses())
        .and(Chaos.clockSkew(Duration.ofDays(1)))
        .every(RARELY)
        .amidWork()
        .on(List.of(store))
        .atMostDown(1);
  }

  private static Chaos disks(WorldHost store) {
    return Chaos.diskErrors(0.2)
        .and(Chaos.forceFailures(0.2))
        .and(Chaos.fullDisks())
        .and(Chaos.slowDisks(SECOND))
        .every(RARELY)
        .on(List.of(store));
  }

  // The store.

  /// Answers `read` and `write n`, and starts again after each failure of the disk.
  private static void store(WorldHost host) {
    while (true) {
      try {
        serve(host);
      } catch (IOException e) {
        host.application().sleep(SECOND); // the file is as it was
      }
    }
  }

  private static void serve(WorldHost host) throws IOException {
    Application app = host.application();
    Path file = host.disk().path("/number");
    try (TcpListener listener = app.io().listen(new InetSocketAddress(host.address(), PORT))) {
      int number = Files.exists(file) ? Integer.parseInt(Files.readString(file)) : 0;
      while (true) {
        try (TcpSocket client = listener.accept()) {
          String line = app.within(PATIENCE, () -> client.readLine(LONGEST_LINE));
          if (line != null && line.startsWith("write ")) {
            number = Integer.parseInt(line.substring("write ".length()));
            keep(file, number);
          }
          if (!Chance.rarely("no answer")) {
            write(client, "" + number);
          }
        } catch (TimedOutException e) {
          // a silent client is left alone
        }
      }
    }
  }

  /// Replaces the file in one step, because the power may fail between any two lines.
  private static void keep(Path file, int number) throws IOException {
    Path fresh = file.resolveSibling("fresh");
    try (FileChannel channel = FileChannel.open(fresh, CREATE, WRITE, TRUNCATE_EXISTING)) {
      ByteBuffer bytes = UTF_8.encode("" + number);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
    }
    Files.move(fresh, file, ATOMIC_MOVE);
    try (FileChannel directory = FileChannel.open(file.getRoot(), READ)) {
      directory.force(true);
    }
  }

  // Its clients.

  private void ask(
      WorldHost host, WorldHost store, History<Register<Integer>, @Nullable Object> history) {
    while (true) {
      host.application().sleep(BETWEEN.plusMillis(host.random().nextInt(1_000)));
      try {
        if (host.random().nextBoolean()) {
          int number = ++last;
          history.record(
              host.name(),
              new Register.Write<>(number),
              () -> {
                String _ = answer(host, store, "write " + number);
              });
        } else {
          Object _ =
              history.record(
                  host.name(),
                  new Register.Read<>(),
                  () -> Integer.valueOf(answer(host, store, "read")));
        }
      } catch (IOException | TimedOutException e) {
        // the history has it: unknown
      }
    }
  }

  private static String answer(WorldHost host, WorldHost store, String line) throws IOException {
    Application app = host.application();
    return app.within(
        PATIENCE,
        () -> {
          var address = new InetSocketAddress(store.address(), PORT);
          try (TcpSocket socket = app.io().connect(address)) {
            write(socket, line);
            String answer = socket.readLine(LONGEST_LINE);
            if (answer == null) {
              throw new IOException("no answer");
            }
            return answer;
          }
        });
  }

  private static void write(TcpSocket socket, String line) throws IOException {
    socket.write(UTF_8.encode(line + "\n"));
  }

  /// Connects to a port without a server.
  private static void probe(WorldHost host, WorldHost store) throws IOException {
    TcpSocket socket =
        host.application().io().connect(new InetSocketAddress(store.address(), PORT + 1));
    socket.close();
  }

  // The picture.

  private static void picture(Recording recording, Consumer<String> out) {
    String text = RecordingPicture.text(recording, 10);
    out.accept("the last of the recording: " + text.lines().toList().getLast().strip());
    out.accept("a diagram: " + RecordingPicture.svg(recording, 50).startsWith("<svg"));
    out.accept("a page: " + RecordingPicture.html(recording, "storm").contains("storm"));
  }
}
