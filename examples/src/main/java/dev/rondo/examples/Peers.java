package dev.rondo.examples;

import com.google.common.base.Splitter;
import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A peer-to-peer mesh that pings itself into shape. At first each peer knows one other; with each
/// ping two of them tell each other whom they know, until everybody knows everybody. Two addresses
/// are bad: at one nobody listens, at the other somebody takes calls and never answers. A peer
/// finds out by itself, and from then on leaves them alone.
final class Peers {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final Duration PROGRESS = Duration.ofMillis(200);
  private static final int PAUSE_MILLIS = 40;
  private static final int LONGEST_LINE_BYTES = 1_000;
  private static final int BAR_LENGTH = 40;

  private final Application app;
  private final Random random;
  private final List<Peer> peers = new ArrayList<>();
  private final Set<Integer> ports = new TreeSet<>();
  private int pings;
  private int silent;
  private int refused;

  Peers(Application app, Random random) {
    this.app = app;
    this.random = random;
  }

  static void main() {
    Application.run(app -> new Peers(app, new Random(1)).shape(16).forEach(IO::println));
  }

  /// Starts the peers and waits until each of them knows all others, and the bad addresses.
  ///
  /// @return what happened, a line for each step
  List<String> shape(int count) throws IOException {
    var story = new ArrayList<String>();
    int nobody = portOfNobody();
    TcpListener mute = app.listen(0);
    app.spawn("mute", () -> takeCallsAndSayNothing(mute));
    int before = mute.port(); // the first one knows both bad addresses
    for (int i = 0; i < count; i++) {
      var peer = new Peer(app.listen(0));
      peer.known.add(before);
      before = peer.port();
      peers.add(peer);
      ports.add(peer.port());
    }
    peers.getFirst().known.add(nobody);
    for (Peer each : peers) {
      app.spawn("listen " + each.port(), each::listen);
      app.spawn("ping " + each.port(), each::pingOthers);
    }
    app.periodic(PROGRESS, () -> story.add(progress()));
    app.waitFor(() -> peers.stream().allMatch(Peer::knowsAll)); // no polling in any peer
    story.add(progress());
    story.add(
        "%d pings; %d times no answer within %d ms, %d times nobody there"
            .formatted(pings, silent, PATIENCE.toMillis(), refused));
    app.stop(); // peers would ping for ever
    return story;
  }

  private String progress() {
    int links = peers.stream().mapToInt(Peer::friends).sum();
    int all = peers.size() * (peers.size() - 1);
    int length = BAR_LENGTH * links / all;
    long wrong = peers.stream().filter(peer -> !ports.containsAll(peer.known)).count();
    return "%5.2f s  %s%s  %3d of %d links, %2d peers know a bad address"
        .formatted(
            app.runningTime().toMillis() / 1e3,
            "#".repeat(length),
            ".".repeat(BAR_LENGTH - length),
            links,
            all,
            wrong);
  }

  private int portOfNobody() throws IOException {
    try (TcpListener listener = app.listen(0)) {
      return listener.port();
    }
  }

  private void takeCallsAndSayNothing(TcpListener listener) throws IOException {
    var held = new ArrayList<TcpSocket>();
    try (listener) {
      while (true) {
        held.add(listener.accept());
      }
    } finally {
      for (TcpSocket each : held) {
        each.close();
      }
    }
  }

  /// One of the mesh: two tasks, one that answers and one that asks.
  private final class Peer {

    private final TcpListener listener;
    private final Set<Integer> known = new TreeSet<>();
    private final Set<Integer> bad = new HashSet<>();

    Peer(TcpListener listener) {
      this.listener = listener;
      known.add(listener.port());
    }

    int port() {
      return listener.port();
    }

    int friends() {
      return (int) known.stream().filter(ports::contains).count() - 1;
    }

    boolean knowsAll() {
      return known.equals(ports);
    }

    void listen() throws IOException {
      try (listener) {
        while (true) {
          TcpSocket caller = listener.accept();
          app.spawn("answer", () -> answer(caller));
        }
      }
    }

    private void answer(TcpSocket caller) throws Exception {
      try (caller) {
        app.within(
            PATIENCE,
            () -> {
              learn(caller.readLine(LONGEST_LINE_BYTES));
              caller.write(everybodyIKnow());
              return null;
            });
      } catch (IOException | TimedOutException _) {
        // It is the caller's to try again.
      }
    }

    void pingOthers() throws Exception {
      while (true) {
        app.sleep(Duration.ofMillis(PAUSE_MILLIS / 2 + random.nextInt(PAUSE_MILLIS)));
        List<Integer> others = known.stream().filter(port -> port != port()).toList();
        if (!others.isEmpty()) {
          ping(others.get(random.nextInt(others.size())));
        }
      }
    }

    private void ping(int other) throws Exception {
      pings++;
      try {
        app.within(
            PATIENCE,
            () -> {
              try (TcpSocket socket = app.connect("127.0.0.1", other)) {
                socket.write(everybodyIKnow());
                learn(socket.readLine(LONGEST_LINE_BYTES));
              }
              return null;
            });
      } catch (TimedOutException e) {
        silent++;
        forget(other);
      } catch (IOException e) {
        refused++;
        forget(other);
      }
    }

    private void forget(int other) {
      bad.add(other);
      known.remove(other);
    }

    private String everybodyIKnow() {
      return known.stream().map(String::valueOf).collect(Collectors.joining(" ", "", "\n"));
    }

    private void learn(@Nullable String line) throws IOException {
      if (line == null) {
        throw new IOException("hung up");
      }
      for (String each : Splitter.on(' ').split(line)) {
        int port = Integer.parseInt(each);
        if (!bad.contains(port)) {
          known.add(port);
        }
      }
    }
  }
}
