package dev.rondo.examples.conditions;

import dev.rondo.application.Application;
import dev.rondo.computicle.CarriedContext;
import dev.rondo.computicle.Computicle;
import dev.rondo.computicle.Endpoint;
import dev.rondo.computicle.Endpoints;
import dev.rondo.computicle.Envelope;
import dev.rondo.computicle.Pool;
import dev.rondo.computicle.RemoteTask;
import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.SendChannel;
import dev.rondo.scheduler.TaskLocal;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Loops on several cores: sends with a limit, with the sender's context, and to a named endpoint;
/// code for another loop; a growing pool; and the messages that an orderly end leaves.
final class Foundry {

  private static final TaskLocal<String> CUSTOMER = TaskLocal.named("customer");
  private static final Duration SHORT = Duration.ofSeconds(10);

  private Foundry() {}

  static void main() {
    Application.run(app -> work(app, IO::println));
  }

  /// Founds two bells.
  static void work(Application app, Consumer<String> out) throws Exception {
    names(out);
    furnace(app, out);
    moulds(out);
  }

  /// A sender and a receiver that know only a name.
  private static void names(Consumer<String> out) throws Exception {
    var endpoints = new Endpoints(); // a program without several parts uses Endpoints.global()
    Endpoint<String> ore = endpoints.any("ore", String.class, 2);
    SendChannel<String> mine = endpoints.out("ore", String.class);
    ReceiveChannel<String> smelter = endpoints.in("ore", String.class);
    mine.send("tin");
    mine.send("copper");
    mine.close();
    smelter.forEach(each -> out.accept("smelted " + each));
    out.accept("the name is free: " + (endpoints.any("ore", String.class) != ore));
  }

  /// A computicle whose mailbox has room for two orders.
  private static void furnace(Application app, Consumer<String> out) throws Exception {
    Computicle<Envelope<String>> furnace =
        Computicle.builder("furnace")
            .mailbox(2)
            .grace(SHORT)
            .start((own, mailbox) -> {
              Envelope<String> first = mailbox.receive();
              first
                  .context()
                  .run(() -> out.accept("casting " + first.message() + " for " + CUSTOMER.get()));
            });
    TaskLocal.where(CUSTOMER, "the town")
        .run(() -> {
          furnace.mailbox().send(Envelope.of("a bell"), SHORT);
        });
    app.await(furnace.ended());
    out.accept("not cast: " + furnace.undelivered().size());

    Computicle<Void> press = Computicle.builder("press").start();
    TaskLocal.where(CUSTOMER, "the mill")
        .run(() -> {
          CarriedContext context = CarriedContext.capture();
          out.accept("pressed for " + press.exec(() -> context.run(() -> CUSTOMER.get())).join());
        });
    press.quit();
    press.join(SHORT);
  }

  /// A pool without loops keeps its jobs until it has loops.
  private static void moulds(Consumer<String> out) throws Exception {
    var pool = new Pool("moulds", 0, application -> application.bare());
    RemoteTask<Integer> wanted = pool.spawn(() -> 42);
    RemoteTask<@Nullable Void> unwanted = pool.spawn(() -> out.accept("never"));
    boolean _ = unwanted.cancel("the customer has gone");
    pool.resize(2);
    out.accept("moulds: " + wanted.toCompletableFuture().get(1, TimeUnit.MINUTES));
    try {
      Application.current().await(unwanted.ended());
    } catch (CancellationException e) {
      out.accept("cancelled in time");
    }
    pool.close(SHORT);
  }
}
