package dev.rondo.examples.conditions;

import dev.rondo.application.Application;
import dev.rondo.condition.sync.Barrier;
import dev.rondo.condition.sync.BrokenBarrierException;
import dev.rondo.condition.sync.Latch;
import dev.rondo.condition.sync.Mutex;
import dev.rondo.condition.sync.Phaser;
import dev.rondo.condition.sync.Promise;
import dev.rondo.condition.sync.Semaphore;
import dev.rondo.scheduler.TimedOutException;
import dev.rondo.time.VirtualClock;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Climbers that wait for each other: a barrier that breaks and is repaired, a rope for several
/// climbers, a phaser whose parties come and go, and waits for the first or for all of several
/// promises.
final class Expedition {

  private static final Duration HOUR = Duration.ofHours(1);

  private final Application app;
  private final Consumer<String> out;

  private Expedition(Application app, Consumer<String> out) {
    this.app = app;
    this.out = out;
  }

  static void main() {
    Application.builder().clock(new VirtualClock()).run(app -> climb(app, IO::println));
  }

  /// From the valley to the summit.
  static void climb(Application app, Consumer<String> out) throws Exception {
    var expedition = new Expedition(app, out);
    expedition.meet();
    expedition.rope();
    expedition.camps();
    expedition.forecasts();
  }

  /// One climber loses patience, which breaks the barrier for all.
  private void meet() throws Exception {
    var hut = new Barrier(app.scheduler(), "hut", 3);
    var told = new Latch(app.scheduler(), "told", 2);
    for (String name : List.of("Ann", "Bob")) {
      app.spawn(
          name,
          () -> {
            try {
              boolean _ = name.equals("Ann") ? app.within(HOUR, hut::await) : hut.await();
            } catch (TimedOutException e) {
              out.accept(name + " has lost patience");
            } catch (BrokenBarrierException e) {
              out.accept(name + " goes home");
            }
            boolean _ = told.countDown();
            out.accept("left to tell: " + told.count());
          });
    }
    told.await();
    int _ = hut.reset();
    for (String name : List.of("Ann", "Bob", "Cy")) {
      app.spawn(
          name,
          () -> {
            if (hut.await()) {
              out.accept(name + " was last");
            }
          });
    }
    app.sleep(HOUR);
  }

  /// Six metres of rope. A climber that needs one metre does not overtake a climber that needs
  /// four.
  private void rope() throws Exception {
    var rope = new Semaphore(app.scheduler(), "rope", 6);
    var map = new Mutex(app.scheduler(), "map");
    var four = app.await(rope.permits(4));
    app.spawn(
        "Bob",
        () -> {
          try (var _ = app.await(rope.permits(4));
              var _ = map.lock()) {
            out.accept("Bob has the rope and the map: " + map.isLocked());
          }
        });
    app.yield();
    out.accept("a metre at once: " + (rope.tryAcquire(1) != null));
    four.close();
    try (var _ = app.await(rope.permits(6), HOUR)) {
      out.accept("all of it");
    }
  }

  /// Each camp is a phase. Porters go back when they like.
  private void camps() {
    var ascent = new Phaser(app.scheduler(), "ascent");
    var guide = ascent.register();
    for (int i = 1; i <= 2; i++) {
      int camps = i;
      var porter = ascent.register();
      app.spawn(
          "porter " + i,
          () -> {
            try (porter) {
              for (int camp = 1; camp <= camps; camp++) {
                app.sleep(HOUR);
                long reached = porter.arriveAndAwait();
                out.accept("porter " + camps + " at camp " + reached);
              }
            }
          });
    }
    long valley = guide.arrive(); // the guide does not wait
    long first = app.await(ascent.phase(valley));
    out.accept("the guide at camp " + first);
    guide.close();
    long second = app.await(ascent.phase(first), HOUR.multipliedBy(2));
    out.accept("camp " + second + " without the guide; phase " + ascent.phase());
    app.yield();
  }

  /// Waits for the first forecast, lists the missing ones, and waits for all.
  private void forecasts() throws Exception {
    List<Promise<String>> forecasts =
        List.of("sun", "snow", "storm").stream()
            .map(sky -> new Promise<String>(app.scheduler(), sky))
            .toList();
    for (Promise<String> each : forecasts) {
      app.delay(HOUR.multipliedBy(each.name().length()), () -> each.fulfill(each.name() + "!"));
    }
    out.accept("none yet: " + Promise.pickReady(forecasts).isEmpty());
    out.accept("first: " + Promise.awaitAny(forecasts).claim());
    out.accept("missing: " + Promise.onlyPending(forecasts).size());
    var last = forecasts.getLast();
    app.await(last.settled());
    out.accept("last: " + last.isDone() + ", " + last.outcome());
    out.accept("all: " + Promise.awaitAll(forecasts));
  }
}
