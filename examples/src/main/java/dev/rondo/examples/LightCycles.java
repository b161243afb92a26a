package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A small game over the network. Light cycles leave a wall behind them, and a cycle that runs into
/// a wall is out. In each frame the server draws the arena, sends each player its distances to the
/// next walls, and takes the answers that arrive before the next frame; a cycle whose answer is
/// late goes straight on. The players are tasks of the same program, with real sockets; one of them
/// has a slow connection.
///
/// [WaitForFrame] is the clock, each connection has a task, and there is no lock.
final class LightCycles {

  private static final int WIDTH = 48;
  private static final int HEIGHT = 14;
  private static final Duration FRAME = Duration.ofMillis(40);
  private static final String PLAYERS = "ABCD";
  private static final int LONGEST_LINE_BYTES = 40;

  private enum Heading {
    UP(0, -1),
    RIGHT(1, 0),
    DOWN(0, 1),
    LEFT(-1, 0);

    private static final List<Heading> CLOCKWISE = List.of(UP, RIGHT, DOWN, LEFT);

    final int dx;
    final int dy;

    Heading(int dx, int dy) {
      this.dx = dx;
      this.dy = dy;
    }

    Heading turned(int quarters) {
      return CLOCKWISE.get(Math.floorMod(CLOCKWISE.indexOf(this) + quarters, CLOCKWISE.size()));
    }
  }

  private final Application app;
  private final Duration frame;
  private final WaitForFrame frames;
  private final Random random;
  private final char[][] arena = new char[HEIGHT][WIDTH];
  private final List<Cycle> cycles = new ArrayList<>();
  private final List<String> news = new ArrayList<>();
  private int late;

  LightCycles(Application app, Random random, Duration frame) {
    this.app = app;
    this.frame = frame;
    this.frames = new WaitForFrame(app.scheduler(), frame);
    this.random = random;
    for (char[] row : arena) {
      Arrays.fill(row, ' ');
    }
  }

  @SuppressWarnings("SystemConsoleNull") // null if a setting of the JDK says so
  static void main() {
    Console console = System.console();
    boolean live = console != null && console.isTerminal();
    Application.run(app -> {
      var game = new LightCycles(app, new Random(7), FRAME);
      String last =
          game.play(screen -> {
            if (live) {
              IO.print("\033[H\033[J" + screen); // home, clear
            }
          });
      IO.println(live ? "" : last);
      game.news.forEach(IO::println);
    });
  }

  /// Plays a game to its end.
  ///
  /// @param onFrame receives the screen of each frame
  /// @return the last screen
  String play(Consumer<String> onFrame) throws Exception {
    try (TcpListener listener = app.listen(0)) {
      for (int i = 0; i < PLAYERS.length(); i++) {
        char name = PLAYERS.charAt(i);
        Duration lag = name == 'D' ? frame.multipliedBy(3) : Duration.ofMillis(5);
        app.spawn("player " + name, () -> playOne(listener.port(), lag));
        cycles.add(new Cycle(name, listener.accept(), i));
      }
    }
    for (Cycle each : cycles) {
      app.spawn("connection of " + each.name, each::listen);
    }
    while (alive() > 1) {
      onFrame.accept(screen());
      for (Cycle each : cycles) {
        each.tell();
      }
      frames.nextFrame();
      cycles.forEach(Cycle::move);
    }
    for (Cycle each : cycles) {
      if (each.alive) {
        news.add(each.name + " wins");
      }
      each.socket.close();
    }
    news.add(late + " answers came too late");
    return screen();
  }

  private long alive() {
    return cycles.stream().filter(cycle -> cycle.alive).count();
  }

  private String screen() {
    var text = new StringBuilder("+" + "-".repeat(WIDTH) + "+\n");
    for (char[] row : arena) {
      text.append('|').append(row).append("|\n");
    }
    return text.append('+').append("-".repeat(WIDTH)).append("+\n").toString();
  }

  private boolean isFree(int x, int y) {
    return x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT && arena[y][x] == ' ';
  }

  /// The server's side of a player.
  private final class Cycle {

    final char name;
    final TcpSocket socket;
    private int x;
    private int y;
    private Heading heading;
    private int turn;
    private boolean answered = true;
    boolean alive = true;

    Cycle(char name, TcpSocket socket, int seat) {
      this.name = name;
      this.socket = socket;
      this.x = seat % 2 == 0 ? 5 : WIDTH - 6;
      this.y = seat < 2 ? 4 : HEIGHT - 5;
      this.heading = seat % 2 == 0 ? Heading.RIGHT : Heading.LEFT;
      arena[y][x] = name;
    }

    /// Sends the player the free distance to the left, ahead, and to the right.
    void tell() {
      if (alive) {
        if (!answered) {
          late++;
        }
        answered = false;
        turn = 0;
        try {
          socket.write("%d %d %d\n".formatted(room(-1), room(0), room(1)));
        } catch (IOException _) {
          // the player has left: its cycle goes straight on
        }
      }
    }

    private int room(int quarters) {
      Heading way = heading.turned(quarters);
      int steps = 0;
      while (isFree(x + way.dx * (steps + 1), y + way.dy * (steps + 1))) {
        steps++;
      }
      return steps;
    }

    /// Reads the player's answers; the last one before a frame counts.
    void listen() {
      try {
        for (String line; (line = readLine()) != null; ) {
          turn = Integer.parseInt(line);
          answered = true;
        }
      } catch (IOException _) {
        // the player has left, or the game is over
      }
    }

    private @Nullable String readLine() throws IOException {
      return alive ? socket.readLine(LONGEST_LINE_BYTES) : null;
    }

    void move() {
      if (!alive) {
        return;
      }
      heading = heading.turned(turn);
      x += heading.dx;
      y += heading.dy;
      if (isFree(x, y)) {
        arena[y][x] = Character.toLowerCase(name);
      } else {
        alive = false;
        news.add("%s crashed after %d ms".formatted(name, app.runningTime().toMillis()));
      }
    }
  }

  /// The player's side: steers to the side with most room, and sometimes elsewhere.
  private void playOne(int port, Duration lag) throws IOException {
    try (TcpSocket socket = app.connect("127.0.0.1", port)) {
      for (String line; (line = socket.readLine(LONGEST_LINE_BYTES)) != null; ) {
        String[] room = line.split(" ");
        app.sleep(lag);
        socket.write(choose(room) + "\n");
      }
    } catch (IOException _) {
      // the game is over
    }
  }

  private int choose(String[] room) {
    int left = Integer.parseInt(room[0]);
    int ahead = Integer.parseInt(room[1]);
    int right = Integer.parseInt(room[2]);
    boolean restless = random.nextInt(12) == 0;
    if (ahead > 2 && !restless) {
      return 0;
    }
    return Math.max(left, right) <= ahead ? 0 : left > right ? -1 : 1;
  }
}
