package dev.rondo.examples.core;

import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.Select;
import dev.rondo.scheduler.Waitable;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/// Selects: the first of several events, all events that have come, a random one of them, a default
/// action, and a limit. A late future is cancelled, or its result is filed.
final class NewsDesk {

  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final Scheduler scheduler;
  private final Consumer<String> out;
  private final Channel<String> wire;
  private final Channel<String> mail;

  private NewsDesk(Scheduler scheduler, Consumer<String> out) {
    this.scheduler = scheduler;
    this.out = out;
    this.wire = Channel.bounded(scheduler, 2);
    this.mail = Channel.bounded(scheduler, 1, Overflow.DROP_OLDEST); // only the latest counts
  }

  static void main() {
    try (Scheduler scheduler = Scheduler.create()) {
      var _ = WaitForTime.on(scheduler);
      open(scheduler, new Random(), IO::println);
    }
  }

  /// Takes the news.
  ///
  /// @param scheduler with a timer
  /// @param random chooses among the news that have come
  static void open(Scheduler scheduler, RandomGenerator random, Consumer<String> out) {
    var desk = new NewsDesk(scheduler, out);
    scheduler.spawn(
        "desk",
        () -> {
          desk.takeAll();
          desk.chooseOne(random);
          desk.waitForReplies();
        });
    scheduler.start();
  }

  private void takeAll() throws Exception {
    Select all =
        Select.biased()
            .on(wire.receiving(), news -> out.accept("wire: " + news))
            .on(mail.receiving(), news -> out.accept("mail: " + news))
            .otherwise(() -> out.accept("nothing yet"));
    all.run();
    wire.send("a comet is near");
    mail.send("a cat is lost");
    mail.send("the cat is found");
    out.accept(all.runReady() + " news");
  }

  private void chooseOne(RandomGenerator random) throws Exception {
    wire.send("a comet is nearer");
    mail.send("the cat is hungry");
    Select.fair(random)
        .on(wire.receiving(), news -> out.accept("front page: " + news))
        .on(mail.receiving(), news -> out.accept("front page: " + news))
        .run();
  }

  /// Neither reply comes in time.
  private void waitForReplies() throws Exception {
    var search = new CompletableFuture<String>();
    var interview = new CompletableFuture<String>();
    var filed = new CompletableFuture<String>();
    Select.biased()
        .on(Waitable.cancelling(search), found -> out.accept("archive: " + found))
        .on(
            scheduler.completion(interview, filed::complete),
            words -> out.accept("interview: " + words))
        .after(PATIENCE, () -> out.accept("to print"))
        .run();
    out.accept(search.isCancelled() ? "the search is given up" : "the search goes on");
    interview.complete("no comment");
    out.accept("filed: " + scheduler.await(scheduler.completion(filed)));
  }
}
