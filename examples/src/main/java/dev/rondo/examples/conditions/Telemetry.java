package dev.rondo.examples.conditions;

import dev.rondo.application.Application;
import dev.rondo.condition.channel.Broadcast;
import dev.rondo.condition.channel.Channel;
import dev.rondo.condition.channel.Overflow;
import dev.rondo.condition.channel.Receiver;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.TimedOutException;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// A pipeline from two sensors to an archive, through reactive streams and back. It merges, maps
/// with several workers, buffers, and makes batches. Its last stage works with any source and any
/// sink.
final class Telemetry {

  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Application app;
  private final Consumer<String> out;

  private Telemetry(Application app, Consumer<String> out) {
    this.app = app;
    this.out = out;
  }

  static void main() {
    Application.run(app -> measure(app, IO::println));
  }

  /// Measures for some seconds.
  static void measure(Application app, Consumer<String> out) {
    var telemetry = new Telemetry(app, out);
    telemetry.archive();
    telemetry.display();
  }

  private void archive() {
    Receiver<Integer> readings =
        Receiver.merge(List.of(sensor("indoors", 20), sensor("outdoors", 5)));
    Receiver<List<String>> batches =
        readings
            .mapConcurrently(
                2,
                each -> {
                  app.sleep(SECOND.dividedBy(10)); // a lookup
                  return each;
                })
            .map(each -> each + " degrees")
            .buffer(2)
            .batch(4, SECOND);
    // a library of reactive streams would be between these two
    Receiver<List<String>> returned = Receiver.from(app.scheduler(), batches.asPublisher(), 1);
    Channel<List<String>> archive = Channel.unbounded(app.scheduler());
    copy(returned, archive);
    for (List<String> each : archive) {
      out.accept(each.size() + " archived");
    }
  }

  private Receiver<Integer> sensor(String name, int degrees) {
    Channel<Integer> readings = Channel.rendezvous(app.scheduler());
    app.spawn(
        name,
        () -> {
          try (readings) {
            for (int i = 0; i < 3; i++) {
              readings.send(degrees + i);
              app.sleep(SECOND);
            }
          }
        });
    return readings;
  }

  /// Copies from any source to any sink. A failure of one side ends the other side.
  private static <T> void copy(ReceiveChannel<T> from, SendChannel<? super T> to) {
    try {
      for (T each : from) {
        to.send(each);
      }
      to.close();
    } catch (Throwable e) {
      to.close(e);
      var _ = from.cancel(e);
      throw e;
    }
  }

  /// A display shows the latest reading; a log is full.
  private void display() {
    var news = new Broadcast<Integer>(app.scheduler(), 1, Overflow.DROP_OLDEST);
    Receiver<Integer> display = Receiver.from(app.scheduler(), news.asPublisher(), 1);
    app.yield();
    for (int i = 0; i < 5; i++) {
      news.send(i);
    }
    news.close();
    display.forEach(each -> out.accept("display: " + each));

    Channel<Integer> log = Channel.bounded(app.scheduler(), 2, Overflow.DROP_LATEST);
    for (int i = 0; i < 5; i++) {
      log.send(i);
    }
    log.close();
    log.forEach(each -> out.accept("log: " + each));
    out.accept("dropped: " + log.dropped());

    Channel<Integer> slow = Channel.bounded(app.scheduler(), 1);
    slow.send(1);
    try {
      slow.send(2, SECOND);
    } catch (TimedOutException e) {
      out.accept("nobody reads");
    }
  }
}
