package dev.rondo.examples.durablestore;

import com.google.common.base.Splitter;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.TaskGroup;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/// A store for clients over TCP. A line asks and a line answers:
///
/// | a client sends | and receives |
/// |---|---|
/// | `put key value` | `stored`, when the value is on the disk |
/// | `get key` | `value` and the value, or `nothing` |
/// | anything else | `error` and why |
///
/// A client that receives no answer to a `put`, or an error, does not know whether its value was
/// set.
public final class StoreServer {

  private static final int LONGEST_LINE_BYTES = 4096;
  private static final int WORDS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final DurableStore store;

  /// @param store is not closed by this server
  public StoreServer(DurableStore store) {
    this.store = store;
  }

  /// Serves clients until the listener is closed and they have gone. Suspends its task.
  ///
  /// @throws IOException if the listener fails
  public void run(Scheduler scheduler, TcpListener listener) throws IOException {
    // A failed connection does not end other connections.
    var clients = scheduler.<Void>newGroup("clients", TaskGroup.Policy.SUPERVISE);
    clients.run(() -> {
      try {
        while (true) {
          TcpSocket client = listener.accept().readTimeout(PATIENCE).writeTimeout(PATIENCE);
          clients.spawn("client " + client.remoteAddress(), () -> serve(client));
        }
      } catch (ChannelClosedException _) {
        // the listener was closed
      }
    });
  }

  private void serve(TcpSocket client) {
    try (client) {
      String line;
      while ((line = client.readLine(LONGEST_LINE_BYTES)) != null) {
        client.write(answer(Splitter.on(' ').limit(WORDS).splitToList(line)) + "\n");
      }
    } catch (IOException | TimedOutException _) {
      // the client has gone
    }
  }

  private String answer(List<String> words) {
    String request = words.getFirst();
    try {
      if (request.equals("put") && words.size() == WORDS) {
        store.put(words.get(1), words.get(2));
        return "stored";
      }
      if (request.equals("get") && words.size() == WORDS - 1) {
        String value = store.get(words.get(1));
        return value == null ? "nothing" : "value " + value;
      }
      return "error: ask 'put key value' or 'get key'";
    } catch (IOException | IllegalArgumentException e) {
      return "error: " + e.getMessage();
    }
  }
}
