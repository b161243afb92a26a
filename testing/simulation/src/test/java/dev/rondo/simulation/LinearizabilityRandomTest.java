package dev.rondo.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.simulation.model.Fifo;
import dev.rondo.simulation.model.KeyValue;
import dev.rondo.simulation.model.Model;
import dev.rondo.simulation.model.Register;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The search against the definition: all orders of all choices of the pending operations, one by
/// one, over small random histories.
final class LinearizabilityRandomTest {

  private static final int HISTORIES = 1_000;
  private static final int MOST_OPERATIONS = 6;
  private static final int LEAST_OF_EACH_VERDICT = HISTORIES / 10;

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20_261_122);

  @Test
  void register_randomHistories_asTheDefinitionSays() {
    compare(Register.model(0), this::registerOperation, this::registerAnswer);
  }

  @Test
  void queue_randomHistories_asTheDefinitionSays() {
    compare(Fifo.<Integer>model(), this::queueOperation, this::queueAnswer);
  }

  /// The definition has one order for all parts.
  @Test
  void map_randomHistories_asTheDefinitionSays() {
    compare(KeyValue.<String, Integer>model(), this::mapOperation, this::mapAnswer);
  }

  // Random operations and answers.

  private int value() {
    return random.nextInt(1, 3);
  }

  private Register<Integer> registerOperation() {
    return switch (random.nextInt(4)) {
      case 0 -> new Register.Write<>(value());
      case 1 -> new Register.CompareAndSet<>(random.nextInt(3), value());
      default -> new Register.Read<>();
    };
  }

  private @Nullable Object registerAnswer(Register<Integer> input) {
    return switch (input) {
      case Register.Read<Integer> _ -> random.nextInt(3);
      case Register.Write<Integer> _ -> null;
      case Register.CompareAndSet<Integer> _ -> random.nextBoolean();
    };
  }

  private Fifo<Integer> queueOperation() {
    return random.nextBoolean() ? new Fifo.Add<>(value()) : new Fifo.Poll<>();
  }

  private @Nullable Object queueAnswer(Fifo<Integer> input) {
    int element = random.nextInt(3);
    return input instanceof Fifo.Poll && element > 0 ? element : null;
  }

  private KeyValue<String, Integer> mapOperation() {
    String key = random.nextBoolean() ? "x" : "y";
    return switch (random.nextInt(5)) {
      case 0, 1 -> new KeyValue.Put<>(key, value());
      case 2 -> new KeyValue.Remove<>(key);
      default -> new KeyValue.Get<>(key);
    };
  }

  private @Nullable Object mapAnswer(KeyValue<String, Integer> input) {
    int value = random.nextInt(3);
    return input instanceof KeyValue.Get && value > 0 ? value : null;
  }

  // Random histories.

  /// @param end null: without a known outcome
  private record Operation<I>(I input, int call, @Nullable Integer end, @Nullable Object answer) {

    boolean isBefore(Operation<I> other) {
      return end != null && end < other.call;
    }
  }

  private <S extends @Nullable Object, I> void compare(
      Model<S, I, @Nullable Object> model,
      Supplier<I> inputs,
      Function<I, @Nullable Object> answers) {
    int right = 0;
    for (int i = 0; i < HISTORIES; i++) {
      History<I, @Nullable Object> history = History.timedBy(() -> Duration.ZERO);
      List<Operation<I>> operations = randomHistory(history, inputs, answers);
      boolean expected = anyOrderFits(model, new ArrayList<>(), operations);
      Class<?> verdict = expected ? Verdict.Linearizable.class : Verdict.NotLinearizable.class;
      assertEquals(verdict, history.check(model, 100_000).getClass(), () -> "\n" + history);
      right += expected ? 1 : 0;
    }
    assertTrue(right > LEAST_OF_EACH_VERDICT, "linearizable: " + right);
    assertTrue(HISTORIES - right > LEAST_OF_EACH_VERDICT, "linearizable: " + right);
  }

  private <I> List<Operation<I>> randomHistory(
      History<I, @Nullable Object> history,
      Supplier<I> inputs,
      Function<I, @Nullable Object> answers) {
    int length = random.nextInt(2, MOST_OPERATIONS + 1);
    var operations = new ArrayList<Operation<I>>();
    record Open<I>(Invocation<I, @Nullable Object> invocation, int call) {}
    var open = new ArrayList<Open<I>>();
    int event = 0;
    for (int called = 0; called < length || !open.isEmpty(); event++) {
      if (called < length && (open.isEmpty() || random.nextInt(5) < 2)) {
        called++;
        open.add(new Open<>(history.invoke("p", inputs.get()), event));
        continue;
      }
      Open<I> chosen = open.remove(random.nextInt(open.size()));
      int call = chosen.call();
      Invocation<I, @Nullable Object> invocation = chosen.invocation();
      if (random.nextInt(5) == 0) {
        operations.add(new Operation<>(invocation.input(), call, null, null));
        continue;
      }
      @Nullable Object answer = answers.apply(invocation.input());
      invocation.returned(answer);
      operations.add(new Operation<>(invocation.input(), call, event, answer));
    }
    return operations;
  }

  // The definition.

  private static <S extends @Nullable Object, I> boolean anyOrderFits(
      Model<S, I, @Nullable Object> model, List<Operation<I>> order, List<Operation<I>> rest) {
    if (rest.stream().allMatch(left -> left.end() == null) && fits(model, order)) {
      return true;
    }
    for (Operation<I> next : rest) {
      var longer = new ArrayList<>(order);
      longer.add(next);
      var fewer = new ArrayList<>(rest);
      fewer.remove(next);
      if (anyOrderFits(model, longer, fewer)) {
        return true;
      }
    }
    return false;
  }

  private static <S extends @Nullable Object, I> boolean fits(
      Model<S, I, @Nullable Object> model, List<Operation<I>> order) {
    var states = new HashMap<@Nullable Object, S>();
    for (int i = 0; i < order.size(); i++) {
      Operation<I> next = order.get(i);
      if (order.subList(0, i).stream().anyMatch(next::isBefore)) {
        return false;
      }
      Object part = model.part(next.input());
      var step = model.apply(states.getOrDefault(part, model.initial()), next.input());
      if (next.end() != null && !Objects.equals(step.output(), next.answer())) {
        return false;
      }
      states.put(part, step.state());
    }
    return true;
  }
}
