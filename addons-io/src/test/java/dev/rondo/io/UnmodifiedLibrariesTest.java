package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Task;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;

/// Libraries that know nothing of tasks, on the BOUND backend: a blocking call suspends only its
/// own task. The server is a task of the same thread, so no answer would ever arrive if a client
/// blocked the loop.
public class UnmodifiedLibrariesTest {

  private static final int CLIENTS = 5;

  /// Answers one HTTP request per connection, all at once when every client has sent one.
  private static void serve(TcpListener listener, int clients) throws Exception {
    var connections = new ArrayList<TcpSocket>();
    for (int i = 0; i < clients; i++) {
      TcpSocket connection = listener.accept();
      String request = connection.readLine(1000);
      while (!connection.readLine(1000).isEmpty()) {}
      connections.add(connection);
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: " + request.length() + "\r\n");
      connection.write("Connection: close\r\n\r\n" + request);
    }
    for (TcpSocket each : connections) {
      each.close();
    }
  }

  @Test
  void httpUrlConnection_manyAtOnce_onlyTheirTasksWait() throws Exception {
    IoRig.BOUND.run(world -> {
      try (var listener = world.listen()) {
        var clients = new ArrayList<Task<String>>();
        for (int i = 0; i < CLIENTS; i++) {
          var url = URI.create("http://127.0.0.1:" + listener.port() + "/" + i).toURL();
          clients.add(
              world
                  .scheduler()
                  .spawn(() -> {
                    var connection = (HttpURLConnection) url.openConnection();
                    try (var in = connection.getInputStream()) {
                      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
                    }
                  }));
        }
        serve(listener, CLIENTS);
        var said = new ArrayList<String>();
        clients.forEach(each -> said.add(each.join()));
        for (int i = 0; i < CLIENTS; i++) {
          assertEquals("GET /" + i + " HTTP/1.1", said.get(i));
        }
      }
    });
  }

  @Test
  void socket_blockedInRead_isCancelledAndOthersGoOn() throws Exception {
    IoRig.BOUND.run(world -> {
      try (var listener = world.listen()) {
        Task<String> client =
            world
                .scheduler()
                .spawn(() -> {
                  try (var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                    socket.getOutputStream().write("hello\n".getBytes(StandardCharsets.US_ASCII));
                    return new BufferedReader(
                            new InputStreamReader(
                                socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine();
                  }
                });
        Task<?> silent =
            world
                .scheduler()
                .spawn(() -> {
                  try (var socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
                    return socket.getInputStream().read();
                  }
                });
        try (var one = listener.accept();
            var two = listener.accept()) {
          boolean oneAsked = world.scheduler().select(one.readable(), two.readable()).index() == 0;
          TcpSocket asked = oneAsked ? one : two;
          assertEquals("hello", asked.readLine(100));
          assertFalse(client.isDone());
          asked.write("hello yourself\n");
          assertEquals("hello yourself", client.join());
          silent.cancel("enough");
          assertThrows(Exception.class, silent::join);
        }
      }
    });
  }

  /// A database driver: the query of one task waits, within the database, for the query of another
  /// task.
  @Test
  void jdbcDriver_queryWaitsForAnotherTask_onlyItsTaskWaits() throws Exception {
    Server database = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-tcpDaemon").start();
    try {
      String url = "jdbc:h2:tcp://127.0.0.1:" + database.getPort() + "/mem:tasks";
      IoRig.BOUND.run(world -> {
        Scheduler scheduler = world.scheduler();
        try (var keep = DriverManager.getConnection(url);
            var setUp = keep.createStatement()) {
          setUp.execute("create table t (id int primary key, v int)");
          setUp.execute("create alias wait for '" + getClass().getName() + ".waitForTheOther'");
          setUp.execute("create alias go for '" + getClass().getName() + ".go'");
          gate = new CountDownLatch(1);
          Task<Integer> waiting =
              scheduler.spawn(() -> {
                try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement();
                    var rows = statement.executeQuery("call wait()")) {
                  rows.next();
                  return rows.getInt(1);
                }
              });
          List<Task<Integer>> writers = new ArrayList<>();
          for (int i = 0; i < CLIENTS; i++) {
            int id = i;
            writers.add(
                scheduler.spawn(() -> {
                  try (var connection = DriverManager.getConnection(url);
                      var insert = connection.prepareStatement("insert into t values (?, ?)")) {
                    insert.setInt(1, id);
                    insert.setInt(2, id * id);
                    return insert.executeUpdate();
                  }
                }));
          }
          for (Task<Integer> each : writers) {
            assertEquals(1, each.join());
          }
          assertFalse(waiting.isDone());
          setUp.execute("call go()");
          assertEquals(7, waiting.join());
          try (var rows = setUp.executeQuery("select sum(v) from t")) {
            rows.next();
            assertEquals(30, rows.getInt(1));
          }
        }
      });
    } finally {
      database.stop();
    }
  }

  private static volatile CountDownLatch gate = new CountDownLatch(0);

  /// Called within the database.
  public static int waitForTheOther() throws InterruptedException {
    return gate.await(5, TimeUnit.MINUTES) ? 7 : -1;
  }

  /// Called within the database.
  public static int go() {
    gate.countDown();
    return 0;
  }
}
