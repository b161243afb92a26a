package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Subscription;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.time.Duration;

/// A chat room. Each message goes to all guests through a [Broadcast], in which each guest has a
/// small buffer. A guest that reads slowly misses messages and learns how many; a guest that does
/// not read at all is disconnected. Other guests never wait for it.
///
/// Try it with `nc localhost 8080` in two terminals. The first line is your name, `/quit` leaves.
/// The room closes after a minute, or with Ctrl-C.
final class Chat {

  private static final int BUFFERED_MESSAGES = 16;
  private static final int SEND_BUFFER_BYTES = 16 * 1024;
  private static final int LONGEST_LINE_BYTES = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Application app;
  private final TcpListener listener;
  private final Broadcast<String> room;
  private int shownOut;

  Chat(Application app, TcpListener listener) {
    this.app = app;
    this.listener = listener;
    this.room = new Broadcast<>(app.scheduler(), BUFFERED_MESSAGES, Overflow.DROP_OLDEST);
  }

  static void main() {
    Application.builder()
        .shutdownLimits(PATIENCE, Duration.ofSeconds(10))
        .run(app -> {
          TcpListener listener = app.listen(Integer.getInteger("port", 8080));
          IO.println("chat on port " + listener.port());
          var chat = new Chat(app, listener);
          app.spawn("accept", chat::accept);
          app.onSignal("guest", () -> IO.println(chat.room.subscriptions() + " in the room"));
          chat.spend(Duration.ofSeconds(Integer.getInteger("seconds", 60)));
        });
  }

  /// Keeps the room open for a while, or until the application shuts down, as on Ctrl-C. Then
  /// closes the room and waits until all guests have read that. Suspends its task.
  void spend(Duration evening) throws Exception {
    try {
      app.await(app.shutdownRequested(), evening);
    } catch (TimedOutException e) {
      // it is late
    }
    close();
    app.waitFor(() -> room.subscriptions() == 0);
  }

  /// Accepts guests until the listener is closed. Suspends its task.
  void accept() throws IOException {
    try {
      while (true) {
        TcpSocket socket = listener.accept();
        app.spawn("guest " + socket.remoteAddress(), () -> entertain(socket));
      }
    } catch (ChannelClosedException e) {
      // the listener was closed
    }
  }

  /// Closes the room: guests receive the remaining messages and are disconnected. Later calls do
  /// nothing.
  void close() throws IOException {
    listener.close();
    say("* good night");
    room.close();
  }

  int shownOut() {
    return shownOut;
  }

  int guests() {
    return room.subscriptions();
  }

  /// Serves one guest with two tasks: this one reads, another one writes.
  private void entertain(TcpSocket socket) throws Exception {
    try (socket) {
      // A small send buffer: messages are then dropped in the broadcast, where they are counted.
      socket.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES).writeTimeout(PATIENCE);
      String name = socket.readLine(LONGEST_LINE_BYTES);
      if (name == null || name.isBlank()) {
        return;
      }
      try (Subscription<String> messages = room.subscribe()) {
        say("* " + name + " has come");
        Task<Void> telling = app.spawn("tell " + name, () -> tell(socket, messages));
        try {
          listen(socket, name);
        } finally {
          telling.cancel("the guest leaves");
        }
      } finally {
        say("* " + name + " has left");
      }
    } catch (IOException e) {
      // the guest left, was disconnected, or sent a line that is too long
    }
  }

  private void listen(TcpSocket socket, String name) throws IOException {
    for (String line;
        (line = socket.readLine(LONGEST_LINE_BYTES)) != null && !line.equals("/quit"); ) {
      say(name + ": " + line);
    }
  }

  private void say(String message) {
    if (!room.isClosedForSend()) {
      room.send(message); // never suspends
    }
    app.signalAll("guest");
  }

  private void tell(TcpSocket socket, Subscription<String> messages) throws IOException {
    long missed = 0;
    try (socket) { // closing it also ends the reading task
      for (String message : messages) {
        if (messages.dropped() > missed) {
          socket.write("* you missed %d messages\n".formatted(messages.dropped() - missed));
          missed = messages.dropped();
        }
        socket.write(message + "\n");
      }
    } catch (TimedOutException e) {
      shownOut++;
    } catch (IOException e) {
      // the guest left
    }
  }
}
