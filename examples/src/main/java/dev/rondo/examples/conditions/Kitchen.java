package dev.rondo.examples.conditions;

import dev.rondo.application.Application;
import dev.rondo.condition.Cell;
import dev.rondo.condition.HandlerRegistration;
import dev.rondo.condition.QueuedSignal;
import dev.rondo.condition.Signal;
import dev.rondo.condition.WaitForCondition;
import dev.rondo.condition.WaitForSignal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Predicates that return a value, signals to one task or to all, events that combine other events,
/// and orders that are kept until a cook is free.
final class Kitchen {

  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Application app;
  private final Consumer<String> out;
  private final WaitForCondition conditions;
  private final WaitForSignal signals;
  private int oven = 20;

  private Kitchen(Application app, Consumer<String> out) {
    this.app = app;
    this.out = out;
    this.conditions = app.conditions();
    this.signals = app.signals();
  }

  static void main() {
    Application.run(app -> open(app, IO::println));
  }

  /// Prepares, cooks and serves.
  static void open(Application app, Consumer<String> out) {
    var kitchen = new Kitchen(app, out);
    kitchen.prepare();
    kitchen.cook();
    kitchen.serve();
    kitchen.close();
  }

  /// A list in a cell. Code that changes the list in place must say so.
  private void prepare() {
    var shelf = new Cell<>(app.scheduler(), "shelf", new ArrayList<String>());
    var dough = new Cell<>(app.scheduler(), "dough", false);
    app.spawn(
        "grocer",
        () -> {
          for (String each : List.of("flour", "yeast")) {
            app.sleep(MINUTE);
            shelf.get().add(each);
            shelf.changed();
          }
        });
    out.accept("first: " + app.await(conditions.condition(() -> shelf.get().stream().findFirst())));
    var noYeast = conditions.condition(() -> !shelf.get().contains("yeast"));
    var yeast = conditions.condition(() -> shelf.get().stream().skip(1).findAny());
    out.accept("without yeast: " + (app.select(yeast, noYeast).index() == 1));
    var _ = conditions.signalOnPredicate(() -> shelf.get().size() > 1, "complete");
    app.waitForSignal("complete");
    out.accept("complete with " + shelf.get().getLast());

    // the temperature is in no cell, so the predicate is polled once the dough is ready
    app.when(
        () -> dough.get() && conditions.untracked(() -> oven >= 200), () -> app.signalAll("bake"));
    app.spawn(
        "oven",
        () -> {
          while (oven < 200) {
            app.sleep(MINUTE);
            oven += 60;
          }
        });
    dough.set(true);
    app.waitForSignal("bake");
    out.accept("bread at " + oven + " degrees");
  }

  /// An order that comes while the cook is busy, or is not there, is kept.
  private void cook() {
    var orders = new QueuedSignal<String>(app.scheduler(), "orders");
    boolean _ = orders.signalOne("soup");
    HandlerRegistration cook =
        orders.onSignal(dish -> {
          app.sleep(MINUTE);
          out.accept("cooked: " + dish);
        });
    int _ = orders.signalAll("stew");
    app.sleep(MINUTE.multipliedBy(3));
    boolean _ = cook.cancel();
    boolean _ = orders.signalOne("tea");
    out.accept("for the next cook: " + app.await(orders));
  }

  private void serve() {
    var _ = signals.signal("open").onSignalOnce(_ -> out.accept("the doors are open"));
    var _ = signals.signal("menu").onSignalOnce(menu -> out.accept("today: " + menu));
    HandlerRegistration bell =
        signals.signal("bell").onSignal(table -> out.accept("bell: " + table));
    for (String guest : List.of("Ann", "Bob", "Cy")) {
      app.spawn(
          guest,
          () -> {
            Object table = app.waitForSignal("table");
            out.accept(guest + ": " + (table == null ? "leaves" : table));
          });
    }
    app.yield();
    app.signalAll("open");
    signals.signalAll("menu", "fish");
    signals.signalAll("bell", "table 4");
    boolean _ = signals.signalOne("table", "table 1"); // Ann has waited longest
    app.yield();
    boolean _ = bell.cancel();
    app.spawn("waiter", () -> out.accept("the waiter sees the fire"));
    var _ =
        signals.signalAllImmediate(
            "table", null); // its tasks go ahead of the waiter, which is ready already
    app.yield();
    out.accept("a taxi hears: " + signals.signalOne("taxi", null));
  }

  /// Events of events.
  private void close() {
    var till = new Signal<Integer>(app.scheduler(), "till");
    var tips = new Signal<Integer>(app.scheduler(), "tips");
    var both = signals.onAll(till, tips);
    app.spawn(
        "cashier",
        () -> {
          till.signalAll(90);
          both.reset(); // discards the events of yesterday
          till.signalAll(120);
          tips.signalAll(15);
          app.yield();
          tips.signalAll(3);
          app.yield();
          till.signalAll(1);
          tips.signalAll(2);
        });
    out.accept("till and tips: " + app.await(both));
    var late = app.await(signals.onAny(till, tips));
    out.accept("late " + (late.index() == 1 ? "tip: " : "payment: ") + late.value());
    out.accept("left: " + signals.awaitAll(till, tips));
    var mopping = app.spawn("mopping", () -> app.sleep(MINUTE));
    app.waitFor(WaitForCondition.taskIsFinished(mopping));
    out.accept("closed after " + app.runningTime().toMinutes() + " minutes");
    lights();
  }

  /// A handler for each value until it returns empty, and a handler for one value.
  private void lights() {
    var lights = new Cell<>(app.scheduler(), "lights", 2);
    var _ =
        conditions.when(
            () -> Optional.of(lights.get()).filter(n -> n == 0), n -> out.accept("dark: " + n));
    var _ =
        conditions.whenever(
            () -> Optional.of(lights.get()).filter(n -> n > 0),
            n -> {
              out.accept("lights: " + n);
              lights.set(n - 1);
            });
    app.waitFor(() -> lights.get() == 0);
    app.yield();
    app.yield();
  }
}
