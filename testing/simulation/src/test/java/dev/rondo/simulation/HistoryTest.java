package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.model.Fifo;
import dev.rondo.simulation.model.KeyValue;
import dev.rondo.simulation.model.Register;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a history records and says. Each event takes a millisecond.
final class HistoryTest {

  private Duration now = Duration.ZERO;
  private final History<Register<Integer>, @Nullable Object> history = History.timedBy(this::tick);

  private Duration tick() {
    now = now.plusMillis(1);
    return now;
  }

  private static Register<Integer> write(int value) {
    return new Register.Write<>(value);
  }

  private static Register<Integer> read() {
    return new Register.Read<>();
  }

  @Test
  void toString_someOutcomes_isALineEach() throws IOException {
    history.record("a", write(1), () -> {});
    int value = history.record("b", read(), () -> 1);
    assertEquals(1, value);
    history.invoke("a", write(2)).failed();
    history.invoke("a", write(3));
    assertThrows(
        IOException.class,
        () ->
            history.record(
                "b",
                read(),
                () -> {
                  throw new IOException("reset");
                }));
    assertEquals(
        """
        [  0.001000 s ..   0.002000 s] a: write 1 -> done
        [  0.003000 s ..   0.004000 s] b: read -> 1
        [  0.005000 s ..   0.006000 s] a: write 2 -> failed
        [  0.007000 s ..    pending] a: write 3
        [  0.008000 s ..   0.009000 s] b: read -> unknown: java.io.IOException: reset\
        """,
        history.toString());
  }

  @Test
  void requireLinearizable_noOrder_saysWhatFitsAndWhatDoesNot() {
    for (int i = 1; i <= 30; i++) {
      history.record("a", write(i), () -> {});
    }
    var late = history.invoke("c", read());
    history.invoke("d", write(77));
    history.record("a", write(31), () -> {});
    var early = history.invoke("b", read());
    late.returned(31);
    early.returned(30);
    history.record("b", read(), () -> 31);

    var told =
        assertThrows(AssertionError.class, () -> history.requireLinearizable(Register.model(0)));
    List<String> lines = told.getMessage().lines().toList();
    assertEquals(
        List.of(
            "the history is not linearizable: no order explains the answers to what was called"
                + " before the return of",
            "  [  0.065000 s ..   0.067000 s] b: read -> 30",
            "Operations in the longest order that explains their answers: 32, the last 20 of them:",
            "  [  0.025000 s ..   0.026000 s] a: write 13 -> done"),
        lines.subList(0, 4));
    assertEquals(
        List.of(
            "  [  0.063000 s ..   0.064000 s] a: write 31 -> done",
            "  [  0.061000 s ..   0.066000 s] c: read -> 31",
            "The state after them: 31",
            "One of these must come next, and none can:",
            "  [  0.065000 s ..   0.067000 s] b: read -> 30, but the model answers 31"),
        lines.subList(lines.size() - 5, lines.size()));
  }

  @Test
  void requireLinearizable_oneKeyOfTwo_isNamed() {
    History<KeyValue<String, Integer>, @Nullable Object> map = History.timedBy(this::tick);
    map.record("a", new KeyValue.Put<>("x", 1), () -> {});
    map.record("a", new KeyValue.Put<>("y", 2), () -> {});
    map.record("b", new KeyValue.Get<>("x"), () -> 1);
    map.requireLinearizable(KeyValue.model());
    map.record("b", new KeyValue.Get<>("y"), () -> null);

    var told = assertThrows(AssertionError.class, () -> map.requireLinearizable(KeyValue.model()));
    assertTrue(
        told.getMessage().startsWith("the history of 'y' is not linearizable"), told::getMessage);
    assertTrue(told.getMessage().contains("get y -> null, but the model answers 2"));
  }

  /// An addition to a queue changes all states after it, so each order of them is another one.
  private static void addWithoutKnownOutcome(
      History<Fifo<Integer>, @Nullable Object> queue, int count) {
    for (int i = 0; i < count; i++) {
      queue.invoke("a" + i, new Fifo.Add<>(i));
    }
    queue.record("b", new Fifo.Poll<>(), () -> 99);
  }

  @Test
  void check_theSearchIsGivenUp_isUndecidedAndNoSuccess() {
    History<Fifo<Integer>, @Nullable Object> queue = History.timedBy(this::tick);
    addWithoutKnownOutcome(queue, 6);

    var verdict = assertInstanceOf(Verdict.Undecided.class, queue.check(Fifo.model(), 1_000));
    assertEquals(
        "undecided whether the history is linearizable: the search was given up after 1,000"
            + " configurations; raise the limit, or record fewer operations without a known"
            + " outcome (operations=7, unknown=6)",
        verdict.report());
    assertInstanceOf(Verdict.NotLinearizable.class, queue.check(Fifo.model(), 1_000_000));
  }

  /// With each of the 60 writes that may have taken effect or not, the search would take twice as
  /// long, if it looked at all sets of them.
  @Test
  void check_manyOperationsOfUnknownOutcome_isDecided() {
    for (int i = 0; i < 60; i++) {
      history.invoke("lost " + i, write(1_000 + i));
      history.record("a", write(i), () -> {});
      int read = i % 3 == 0 ? 1_000 + i : i;
      history.record("b", read(), () -> read);
    }
    assertInstanceOf(Verdict.Linearizable.class, history.check(Register.model(0), 10_000));
    history.record("b", read(), () -> 1_000);
    assertInstanceOf(Verdict.NotLinearizable.class, history.check(Register.model(0), 10_000));
  }

  @Test
  void check_onePartGivenUpAndAnotherWrong_isWrong() {
    History<KeyValue<String, Integer>, @Nullable Object> map = History.timedBy(this::tick);
    for (int i = 0; i < 120; i++) {
      map.invoke("a" + i, new KeyValue.Put<>("x", i));
    }
    map.record("b", new KeyValue.Get<>("x"), () -> 199);
    map.record("b", new KeyValue.Get<>("y"), () -> 1);
    assertInstanceOf(Verdict.NotLinearizable.class, map.check(KeyValue.model(), 100));
  }

  @Test
  void requireLinearizable_undecided_fails() {
    History<Fifo<Integer>, @Nullable Object> queue = History.timedBy(this::tick);
    addWithoutKnownOutcome(queue, 40);
    var told = assertThrows(AssertionError.class, () -> queue.requireLinearizable(Fifo.model()));
    assertTrue(told.getMessage().startsWith("undecided"), told::getMessage);
  }

  @Test
  void returned_twice_isRefusedAndTheFirstStays() {
    var invocation = history.invoke("a", read());
    invocation.returned(5);
    var told = assertThrows(IllegalStateException.class, () -> invocation.unknown("late"));
    assertEquals(
        "the outcome of an operation is recorded once: [  0.001000 s ..   0.002000 s] a: read -> 5,"
            + " then=UNKNOWN",
        told.getMessage());
    history.requireLinearizable(Register.model(5));
  }

  @Test
  void check_limitOfZero_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> history.check(Register.model(0), 0));
  }

  @Test
  void check_aLongHistoryOfFewClients_isDecided() {
    var open = new Invocation<?, ?>[5];
    for (int i = 0; i < 10_000; i++) {
      int client = i % open.length;
      var invocation = history.invoke("client " + client, write(i));
      if (open[client] != null) {
        open[client].returned();
      }
      open[client] = invocation;
    }
    assertInstanceOf(Verdict.Linearizable.class, history.check(Register.model(0), 100_000));
  }

  @Test
  void requireLinearizable_ofAWorld_saysItsSeedAndTheFaultsMeanwhile() {
    try (World world = World.withSeed(7)) {
      WorldHost host = world.host("store", it -> {});
      History<Register<Integer>, @Nullable Object> inWorld = History.of(world);
      host.pause();
      host.resume();
      world.runFor(Duration.ofSeconds(1));
      Invocation<Register<Integer>, @Nullable Object> write = inWorld.invoke("a", write(1));
      host.pause();
      world.runFor(Duration.ofSeconds(1));
      write.returned();
      var error =
          assertThrows(
              AssertionError.class,
              () -> {
                inWorld.record("b", read(), () -> 0);
                inWorld.requireLinearizable(Register.model(0));
              });
      assertEquals(
          """
          seed 7: the history is not linearizable: no order explains the answers to what was called before the return of
            [  2.000000 s ..   2.000000 s] b: read -> 0
          Operations in the longest order that explains their answers: 1
            [  1.000000 s ..   2.000000 s] a: write 1 -> done
          The state after them: 1
          One of these must come next, and none can:
            [  2.000000 s ..   2.000000 s] b: read -> 0, but the model answers 1
          faults meanwhile: 1:
            at 1 s: pause of host 'store'\
          """,
          error.getMessage());
    }
  }
}
