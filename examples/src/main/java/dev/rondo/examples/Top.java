package dev.rondo.examples;

import com.sun.tools.attach.VirtualMachine;
import dev.rondo.application.Application;
import dev.rondo.examples.top.TopSample;
import dev.rondo.examples.top.TopTable;
import dev.rondo.io.terminal.TaskTerminal;
import java.io.Console;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/// `top` for tasks: shows the running and waiting tasks of another process, with the awaited event,
/// the waiting time, the turns, the run time and the longest turn. That process must be an
/// application that has run for a second. For the times it must have been built with
/// `taskMetrics()`.
///
/// `Top [--once] PID | service:jmx:...`; without an argument it starts a sample program. In a
/// terminal the table is live until `q` is typed or the program ends. Elsewhere it is printed once.
final class Top {

  private static final Duration REFRESH = Duration.ofSeconds(1);
  private static final String ALTERNATE_SCREEN = "\033[?1049h\033[?25l";
  private static final String NORMAL_SCREEN = "\033[?1049l\033[?25h";
  private static final String HOME = "\033[H";
  private static final String CLEAR_REST = "\033[J";
  private static final int PLAIN_ROWS = 40;
  private static final int PLAIN_COLUMNS = 120;

  private final Application app;
  private final MBeanServerConnection server;
  private TopTable table = new TopTable();

  private Top(Application app, MBeanServerConnection server) {
    this.app = app;
    this.server = server;
  }

  @SuppressWarnings("SystemConsoleNull") // null if a setting of the JDK says so
  static void main(String[] args) {
    var words = new ArrayList<>(List.of(args));
    Console console = System.console();
    boolean terminal = console != null && console.isTerminal();
    boolean once = words.remove("--once") || !terminal;
    Application.run(app -> {
      if (words.isEmpty()) {
        Process watched = app.blocking(Top::startBusyProgram, Process::destroy);
        try {
          watch(app, String.valueOf(watched.pid()), once);
        } finally {
          watched.destroy();
        }
      } else {
        watch(app, words.getFirst(), once);
      }
    });
  }

  /// Connecting and querying blocks; so [Application#blocking] does it.
  @SuppressWarnings("BanJNDI") // the user of this program chooses the address
  private static void watch(Application app, String which, boolean once) throws Exception {
    try (JMXConnector connector =
        app.blocking(() -> JMXConnectorFactory.connect(new JMXServiceURL(address(which))))) {
      var top = new Top(app, app.blocking(connector::getMBeanServerConnection));
      if (once) {
        IO.print(top.screen(PLAIN_COLUMNS, PLAIN_ROWS));
      } else {
        top.live();
      }
    }
  }

  private static String address(String which) throws Exception {
    if (which.startsWith("service:")) {
      return which;
    }
    VirtualMachine machine = VirtualMachine.attach(which);
    try {
      return machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
  }

  /// Shows a live table: one task draws, one reads keys.
  private void live() throws Exception {
    try (TaskTerminal terminal = TaskTerminal.open(app.scheduler())) {
      terminal.enterRawMode();
      terminal.write(ALTERNATE_SCREEN);
      var keys =
          app.spawn(
              "keys",
              () -> {
                int key = terminal.readKey();
                while (key != 'q' && key != -1) {
                  key = terminal.readKey();
                }
              });
      String last = "";
      try {
        while (!keys.isDone()) {
          last = screen(terminal.columns(), terminal.rows() - 1);
          terminal.write(HOME + last.replace("\n", "\033[K\r\n") + CLEAR_REST);
          app.select(app.time().after(REFRESH), keys);
        }
      } catch (IOException e) {
        last += "the program has ended\n";
      } finally {
        keys.cancel("the table is closed");
        app.shielded(() -> terminal.write(NORMAL_SCREEN));
      }
      IO.print(last);
    }
  }

  /// {@return a table of each scheduler of the process}
  private String screen(int columns, int rows) throws Exception {
    List<TopTable.Scheduler> seen =
        app.blocking(() -> {
          var all = new ArrayList<TopTable.Scheduler>();
          for (ObjectName name : names()) {
            all.add(
                new TopTable.Scheduler(
                    ObjectName.unquote(name.getKeyProperty("name")),
                    (Long) server.getAttribute(name, "TurnCount"),
                    (String) server.invoke(name, "dumpJson", null, null)));
          }
          return all;
        });
    if (seen.isEmpty()) {
      return "the process has no application that has run for a second\n";
    }
    table = table.next(System.nanoTime(), seen);
    return table.draw(columns, rows);
  }

  private Set<ObjectName> names() throws IOException, JMException {
    return new TreeSet<>(
        server.queryNames(new ObjectName("dev.rondo:type=Scheduler,name=*"), null));
  }

  private static Process startBusyProgram() throws IOException {
    Process started =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElse("java"),
                "-cp",
                System.getProperty("java.class.path"),
                "-Drondo.backend=handoff",
                TopSample.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    int _ = started.getInputStream().read(); // waits for its first output
    return started;
  }
}
