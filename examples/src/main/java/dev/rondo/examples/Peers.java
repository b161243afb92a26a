package dev.rondo.examples;

import com.google.common.base.Splitter;
import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// A peer-to-peer mesh that forms itself by gossip. At first each peer knows one other peer. With
/// each ping two peers exchange the addresses that they know, until every peer knows all others.
/// Two addresses are bad: one refuses connections, and one accepts them and never answers. Each
/// peer finds that out and ignores the address for a while, for longer each time. A peer that was
/// only late is soon known again, or at once if it calls.
final class Peers {

  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final Duration PROGRESS = Duration.ofMillis(500);
  private static final Duration FIRST_BAN = Duration.ofSeconds(1);
  private static final int PAUSE_MILLIS = 40;
  private static final int LONGEST_LINE_BYTES = 1_000;
  private static final int BAR_LENGTH = 40;

  private final Application app;
  private final Random random;
  private final List<Peer> peers = new ArrayList<>();
  private final Set<Integer> ports = new TreeSet<>();
  private boolean done;
  private int pings;
  private int silent;
  private int refused;

  Peers(Application app, Random random) {
    this.app = app;
    this.random = random;
  }

  static void main() {
    Application.run(app -> new Peers(app, new Random(1)).shape(16, IO::println));
  }

  /// Starts the peers and waits until each of them knows all others and no bad address.
  ///
  /// @param out receives the progress of the mesh, line by line
  void shape(int count, Consumer<String> out) throws IOException {
    int refusing = closedPort();
    TcpListener mute = app.listen(0);
    app.spawn("mute", () -> acceptAndStaySilent(mute));
    int before = mute.port(); // the first one knows both bad addresses
    for (int i = 0; i < count; i++) {
      var peer = new Peer(app.listen(0));
      peer.known.add(before);
      before = peer.port();
      peers.add(peer);
      ports.add(peer.port());
    }
    peers.getFirst().known.add(refusing);
    for (Peer each : peers) {
      app.spawn("listen " + each.port(), each::listen);
      app.spawn("ping " + each.port(), each::pingOthers);
    }
    app.periodic(PROGRESS, () -> out.accept(progress()));
    app.waitFor(
        () -> peers.stream().allMatch(Peer::knowsAll)); // looked at again when a peer has changed
    out.accept(progress());
    out.accept(
        "%d pings; %d had no answer within %d ms, %d were refused"
            .formatted(pings, silent, PATIENCE.toMillis(), refused));
    done = true;
    app.stop(); // otherwise the peers would ping for ever
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

  private int closedPort() throws IOException {
    try (TcpListener listener = app.listen(0)) {
      return listener.port();
    }
  }

  private void acceptAndStaySilent(TcpListener listener) throws IOException {
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

  /// The time for which an address is ignored.
  private record Ban(Duration length, Duration end) {}

  /// A peer of the mesh. One of its tasks answers, the other asks.
  private final class Peer {

    private final TcpListener listener;
    private final Set<Integer> known = new TreeSet<>();
    private final Map<Integer, Ban> bans = new HashMap<>();

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
          if (done) {
            caller.close();
            break;
          }
          app.spawn("answer", () -> answer(caller));
        }
      }
    }

    private void answer(TcpSocket caller) throws Exception {
      try (caller) {
        app.within(
            PATIENCE,
            () -> {
              String line = caller.readLine(LONGEST_LINE_BYTES);
              if (line != null) {
                bans.remove(Integer.parseInt(line.substring(0, line.indexOf(' '))));
              }
              learn(line);
              caller.write(knownAddresses());
              return null;
            });
      } catch (IOException | TimedOutException _) {
        // the caller may try again
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
                socket.write(knownAddresses());
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
      Ban before = bans.get(other);
      Duration length = before == null ? FIRST_BAN : before.length().multipliedBy(2);
      bans.put(other, new Ban(length, app.runningTime().plus(length)));
      known.remove(other);
    }

    private boolean isBanned(int port) {
      Ban ban = bans.get(port);
      return ban != null && app.runningTime().compareTo(ban.end()) < 0;
    }

    /// Its own address comes first.
    private String knownAddresses() {
      return known.stream()
          .map(String::valueOf)
          .collect(Collectors.joining(" ", port() + " ", "\n"));
    }

    private void learn(@Nullable String line) throws IOException {
      if (line == null) {
        throw new IOException("hung up");
      }
      for (String each : Splitter.on(' ').split(line)) {
        int port = Integer.parseInt(each);
        if (!isBanned(port)) {
          known.add(port);
        }
      }
    }
  }
}
