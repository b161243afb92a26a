package dev.rondo.examples.auction;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Latch;
import dev.rondo.io.ChannelClosedException;
import dev.rondo.io.TcpListener;
import dev.rondo.io.TcpSocket;
import dev.rondo.scheduler.TimedOutException;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The server of the auction. One task accepts, and each connection has a task. The server speaks a
/// line protocol.
///
/// | client | server |
/// |---|---|
/// | `JOIN name` | `WELCOME name` |
/// | `BID amount` | `LEAD amount`, or `LOW price` |
/// | any line after the auction | `SOLD name price`, and the connection is closed |
/// | no line for too long while the auction is open | `BYE`, and the connection is closed |
public final class AuctionServer {

  /// The time that a bidder may be silent.
  public static final Duration PATIENCE = Duration.ofSeconds(2);

  private static final int LONGEST_LINE_BYTES = 80;

  private final Application app;
  private final Auction auction;
  private final TcpListener listener;

  /// Bidders need not speak before the auction is open.
  private final Latch opened;

  private int accepted;
  private int linesRead;
  private int silent;

  public AuctionServer(Application app, Auction auction, TcpListener listener) {
    this.app = app;
    this.auction = auction;
    this.listener = listener;
    this.opened = new Latch(app.scheduler(), "opened", 1);
  }

  /// From now on bidders must not be silent.
  public void open() {
    opened.countDown();
  }

  /// Accepts until the listener is closed. Suspends its task.
  public void serve() throws IOException {
    while (true) {
      TcpSocket socket;
      try {
        socket = listener.accept();
      } catch (ChannelClosedException e) {
        return; // the auction is over
      }
      accepted++;
      app.spawn("serve " + socket.remoteAddress(), () -> converse(socket));
    }
  }

  private void converse(TcpSocket socket) throws Exception {
    try (socket) {
      String name = readLine(socket);
      if (name == null || !name.startsWith("JOIN ")) {
        socket.write("ERROR say JOIN name first\n");
        return;
      }
      name = name.substring("JOIN ".length());
      auction.join();
      try {
        socket.write("WELCOME " + name + "\n");
        opened.await();
        takeBids(socket, name);
      } finally {
        auction.leave();
      }
    }
  }

  private void takeBids(TcpSocket socket, String name) throws Exception {
    while (true) {
      String line;
      try {
        line = app.within(PATIENCE, () -> readLine(socket));
      } catch (TimedOutException e) {
        silent++;
        socket.write("BYE\n");
        return;
      }
      if (line == null) {
        return;
      }
      socket.write(answer(name, line) + "\n");
      if (auction.isSold()) {
        return;
      }
    }
  }

  private String answer(String name, String line) {
    if (auction.isSold()) {
      return "SOLD " + auction.leader() + " " + auction.price();
    }
    try {
      int amount = Integer.parseInt(line.replace("BID ", ""));
      return auction.bid(name, amount) ? "LEAD " + amount : "LOW " + auction.price();
    } catch (NumberFormatException e) {
      return "ERROR not a bid: " + line;
    }
  }

  private @Nullable String readLine(TcpSocket socket) throws IOException {
    String line = socket.readLine(LONGEST_LINE_BYTES);
    if (line != null) {
      linesRead++;
    }
    return line;
  }

  public int accepted() {
    return accepted;
  }

  public int linesRead() {
    return linesRead;
  }

  public int silent() {
    return silent;
  }
}
