package dev.rondo.examples;

import dev.rondo.application.Application;
import dev.rondo.examples.auction.Auction;
import dev.rondo.examples.auction.AuctionServer;
import dev.rondo.examples.auction.Bidder;
import dev.rondo.io.TcpListener;
import dev.rondo.scheduler.Task;
import dev.rondo.scheduler.coroutine.CoroutineBackends;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The demo, which the README's first command runs: an auction over TCP. The server, its
/// connections and several hundred bidders, each with its own socket, are tasks of one application
/// on one thread.
final class Demo {

  private static final int BIDDERS = 300;
  private static final int SLEEPERS = 5;

  private final Application app;
  private final Transcript transcript;
  private final Auction auction = new Auction();
  private int nextMark = 100;

  private Demo(Application app) {
    this.app = app;
    this.transcript = new Transcript(app);
  }

  static void main() {
    Application.run(app -> new Demo(app).run());
  }

  private void run() throws Exception {
    try (TcpListener listener = app.listen(0)) {
      System.out.printf(
          "An auction with %d bidders over TCP, all on one thread: %s backend, Java %s, port"
              + " %d%n%n",
          BIDDERS, CoroutineBackends.defaultBackend().name(), Runtime.version(), listener.port());
      var server = new AuctionServer(app, auction, listener);
      app.spawn("server", server::serve);
      watch(server);
      List<Task<String>> bidders = sendBidders(listener.port());
      for (Task<String> bidder : bidders) {
        bidder.join();
      }
      transcript.say("join", "all %d bidders have gone home", bidders.size());
      app.waitFor(() -> auction.online() == 0);
      System.out.printf(
          "%n%d connections served, %,d lines read, %d silent bidders shown out, %d still"
              + " connected%n",
          server.accepted(), server.linesRead(), server.silent(), auction.online());
    }
  }

  /// Registers everything that depends on a condition or on time.
  private void watch(AuctionServer server) {
    var open = app.signals().signal("open");
    app.when(
        () -> open.waiterCount() == BIDDERS,
        () -> {
          int woken = app.signalAll("open");
          transcript.say("when", "all %d bidders are here", BIDDERS);
          transcript.say("signal", "'open' woke %d tasks", woken);
          server.open();
          beginTheSale();
        });
    app.whenever(
        () -> auction.price() >= nextMark,
        () -> {
          transcript.say("whenever", "the price has passed %,d", nextMark);
          nextMark *= 2;
        });
    app.when(
        () -> server.silent() == SLEEPERS,
        () ->
            transcript.say(
                "timeout",
                "%d bidders were silent for %d s and were shown out",
                SLEEPERS,
                AuctionServer.PATIENCE.toSeconds()));
  }

  /// The slow part of the sale, which begins when all bidders are there.
  private void beginTheSale() {
    var ticker =
        app.periodic(
            Duration.ofSeconds(1),
            () ->
                transcript.say(
                    "periodic",
                    "%d online, %,d bids, %s leads with %,d",
                    auction.online(),
                    auction.bids(),
                    auction.leader(),
                    auction.price()));
    app.delay(
        Duration.ofSeconds(5),
        () -> {
          auction.hammer();
          ticker.cancel();
          transcript.say("delay", "sold to %s for %,d", auction.leader(), auction.price());
        });
  }

  private List<Task<String>> sendBidders(int port) {
    var bidders = new ArrayList<Task<String>>();
    for (int i = 0; i < BIDDERS; i++) {
      boolean sleeper = i < SLEEPERS;
      String name = (sleeper ? "sleeper-" : "bidder-") + i;
      var bidder = new Bidder(app, name, port, i);
      bidders.add(app.spawn(name, () -> sleeper ? bidder.sleepIn() : bidder.bid()));
    }
    return bidders;
  }
}
