package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.scheduler.SchedulerBuilder;
import dev.rondo.scheduler.TaskLocal;
import dev.rondo.scheduler.addon.ContextPropagation;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

/// Task locals and the MDC go along with messages, and with code for another loop, on demand.
final class CarriedContextTest extends SchedulerTest {

  private static final TaskLocal<String> USER = TaskLocal.named("user");
  private static final TaskLocal<String> PLACE = TaskLocal.named("place");

  private final Endpoint<Envelope<String>> requests = new Endpoint<>("requests", 4);
  private Scheduler other;

  @Override
  protected void configure(SchedulerBuilder builder) {
    builder.contextPropagation(ContextPropagation.mdc());
  }

  @BeforeEach
  void openOther() {
    other = newScheduler();
  }

  @AfterEach
  void closeOther() {
    other.close();
    MDC.clear();
  }

  private void settleBoth() {
    boolean any = true;
    while (any) {
      any = scheduler.step();
      any |= other.step();
    }
  }

  /// Sends a message in the context `ada`, `7`.
  private void sendAsAda(String message) {
    scheduler.spawn(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> {
              MDC.put("trace", "7");
              requests.send(Envelope.of(message));
            }));
  }

  private void traceContext(String where) {
    trace(where + ":" + USER.getOrDefault("-") + ":" + MDC.get("trace"));
  }

  @Test
  void envelope_itsContext_isTheReceiversForABlock() {
    sendAsAda("hello");
    other.spawn(() ->
        TaskLocal.where(PLACE, "here")
            .run(() -> {
              MDC.put("trace", "own");
              Envelope<String> received = requests.receive();
              traceContext("before");
              received
                  .context()
                  .run(() -> {
                    traceContext(received.message());
                    other.yield();
                    traceContext(PLACE.get());
                  });
              traceContext("after");
            }));
    settleBoth();
    assertTrace("before:-:own hello:ada:7 here:ada:7 after:-:own");
  }

  @Test
  void envelope_neighboursOfTheReceiver_seeNothingOfIt() {
    sendAsAda("hello");
    other.spawn(() -> requests.receive().context().run(() -> other.yield()));
    other.spawn(() -> {
      traceContext("neighbour");
      other.yield();
      traceContext("neighbour");
    });
    settleBoth();
    assertTrace("neighbour:-:null neighbour:-:null");
  }

  @Test
  void envelope_tasksOfTheBlock_inheritIt() {
    sendAsAda("hello");
    other.spawn(
        () -> requests.receive().context().run(() -> other.spawn(() -> traceContext("child"))));
    settleBoth();
    assertTrace("child:ada:7");
  }

  @Test
  void message_withoutAnEnvelope_bringsNothing() {
    Endpoint<String> plain = new Endpoint<>("plain", 1);
    scheduler.spawn(() ->
        TaskLocal.where(USER, "ada")
            .run(() -> {
              MDC.put("trace", "7");
              plain.send("hello");
            }));
    other.spawn(() -> traceContext(plain.receive()));
    settleBoth();
    assertTrace("hello:-:null");
  }

  @Test
  void block_throws_theReceiverHasItsOwnAgain() {
    var failure = new IOException("broken");
    sendAsAda("hello");
    other.spawn(() -> {
      MDC.put("trace", "own");
      CarriedContext context = requests.receive().context();
      assertSame(
          failure,
          assertThrows(
              IOException.class,
              () ->
                  context.run(() -> {
                    throw failure;
                  })));
      traceContext("after");
    });
    settleBoth();
    assertTrace("after:-:own");
  }

  @Test
  void capture_outsideOfATask_hasTheMdcOfTheThread() {
    MDC.put("trace", "thread");
    CarriedContext context = CarriedContext.capture();
    MDC.clear();
    other.spawn(() -> context.run(() -> traceContext("code")));
    settleBoth();
    assertTrace("code:-:thread");
    assertThrows(IllegalStateException.class, () -> context.run(() -> trace("ran")));
  }

  @Test
  void capture_ofALibrary_hasThatAndTheMdc() {
    var traces = ThreadLocal.withInitial(() -> "");
    var tracer =
        new ContextPropagation<String>() {
          @Override
          public String capture() {
            return traces.get();
          }

          @Override
          public void restore(@Nullable String snapshot) {
            traces.set(snapshot == null ? "" : snapshot);
          }
        };
    scheduler.spawn(() -> {
      MDC.put("trace", "7");
      traces.set("span");
      requests.send(new Envelope<>("hello", CarriedContext.capture(tracer)));
      traces.remove();
    });
    other.spawn(() -> {
      CarriedContext received = requests.receive().context();
      received.run(() -> trace(MDC.get("trace") + traces.get()));
      trace(MDC.get("trace") + traces.get());
    });
    settleBoth();
    assertTrace("7span null");
  }

  @Test
  void code_forAComputicle_hasItOnDemand() {
    try (Computicle<Void> worker =
        Computicle.builder("worker").application(app -> app.backend(backend).bare()).start()) {
      scheduler.spawn(() ->
          TaskLocal.where(USER, "ada")
              .run(() -> {
                MDC.put("trace", "7");
                CarriedContext context = CarriedContext.capture();
                assertEquals(
                    "ada7",
                    worker.exec(() -> context.run(() -> USER.get() + MDC.get("trace"))).join());
                assertNull(worker.exec(() -> USER.getOrDefault(null)).join());
              }));
      scheduler.start();
    }
  }
}
