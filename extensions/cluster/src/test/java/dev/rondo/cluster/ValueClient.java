package dev.rondo.cluster;

import dev.rondo.scheduler.Scheduler;
import dev.rondo.time.WaitForTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/// Reads and changes registers and a counter, and prints a line before and after each operation:
/// its number, the instant by the system's monotonic clock, which all processes of the machine
/// share, and what it asks or was answered. A dot ends a line that is whole.
///
/// | line | says |
/// |---|---|
/// | `call id nanos put r v .` | sets a register |
/// | `call id nanos get r .` | reads it |
/// | `call id nanos cas r v w .` | sets it if it has a value; `-` stands for none |
/// | `call id nanos add .` | adds 1 to the counter |
/// | `done id nanos answer .` | has been answered; `-` stands for none |
final class ValueClient {

  private static final List<String> REGISTERS = List.of("r0", "r1", "r2");
  static final String NONE = "-";

  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Scheduler scheduler;
  private final WaitForCluster cluster;
  private final String id;
  private final Supplier<List<String>> registers;
  private final Random random = new Random();
  private int operations;

  ValueClient(Scheduler scheduler, WaitForCluster cluster, String node, String name) {
    this(scheduler, cluster, node, name, () -> REGISTERS);
  }

  /// @param registers that it uses now
  ValueClient(
      Scheduler scheduler,
      WaitForCluster cluster,
      String node,
      String name,
      Supplier<List<String>> registers) {
    this.registers = registers;
    this.scheduler = scheduler;
    this.cluster = cluster;
    this.id = node + "/" + ProcessHandle.current().pid() + "/" + name;
  }

  /// Ends with the process.
  void run() throws Exception {
    while (true) {
      List<String> names = registers.get();
      String name = names.get(random.nextInt(names.size()));
      String read = get(name);
      ClusterRegister<String> register = cluster.register(name, Codec.utf8());
      String value = id + "/" + operations;
      switch (random.nextInt(3)) {
        case 0 ->
            ask(
                "put %s %s".formatted(name, value),
                () -> {
                  register.set(value);
                  return NONE;
                });
        case 1 ->
            ask(
                "cas %s %s %s".formatted(name, read, value),
                () -> {
                  Optional<String> expected = Optional.of(read).filter(it -> !it.equals(NONE));
                  return "" + register.compareAndSet(expected, Optional.of(value));
                });
        default -> ask("add", () -> "" + cluster.counter("c").add(1));
      }
      WaitForTime.on(scheduler).sleep(PAUSE);
    }
  }

  void readAll() throws Exception {
    for (String each : registers.get()) {
      get(each);
    }
    ask("add", () -> "" + cluster.counter("c").add(1));
  }

  private String get(String name) throws Exception {
    return ask("get " + name, () -> cluster.register(name, Codec.utf8()).get().orElse(NONE));
  }

  private String ask(String what, Callable<String> operation) throws Exception {
    String number = id + "/" + ++operations;
    IO.println("call %s %d %s .".formatted(number, System.nanoTime(), what));
    String answer = operation.call();
    IO.println("done %s %d %s .".formatted(number, System.nanoTime(), answer));
    return answer;
  }
}
