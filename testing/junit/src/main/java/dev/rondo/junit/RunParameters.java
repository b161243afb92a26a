package dev.rondo.junit;

import dev.rondo.exploration.Choices;
import dev.rondo.junit.internal.RunParameter;
import dev.rondo.observe.Recorder;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/// The objects of [RunParameter]s that a test uses, in one run.
final class RunParameters {

  /// One object, and what closes it.
  private record Opened<T>(RunParameter<T> provider, T value) {

    static <T> Opened<T> by(RunParameter<T> provider, Choices choices) {
      return new Opened<>(provider, provider.open(choices));
    }

    boolean record(Recorder recorder) {
      return provider.record(value, recorder);
    }

    void close() throws Exception {
      provider.close(value);
    }
  }

  private static final List<RunParameter<?>> ALL = load();

  private final List<RunParameter<?>> used;
  private final List<Opened<?>> opened = new ArrayList<>();

  RunParameters(Method test) {
    used =
        ALL.stream()
            .filter(each -> Arrays.asList(test.getParameterTypes()).contains(each.type()))
            .toList();
    for (RunParameter<?> each : used) {
      Arrays.asList(test.getParameterTypes()).forEach(each::checkBeside);
    }
  }

  private static List<RunParameter<?>> load() {
    var all = new ArrayList<RunParameter<?>>();
    ServiceLoader.load(RunParameter.class, RunParameter.class.getClassLoader())
        .forEach(each -> all.add((RunParameter<?>) each));
    return List.copyOf(all);
  }

  static boolean isType(Class<?> type) {
    return ALL.stream().anyMatch(each -> each.type() == type);
  }

  /// {@return whether the test has any}
  boolean areUsed() {
    return !used.isEmpty();
  }

  void open(Choices choices) {
    used.forEach(each -> opened.add(Opened.by(each, choices)));
  }

  /// Makes the first parameter that can record the run do so.
  ///
  /// @return whether one does
  boolean record(Recorder recorder) {
    return opened.stream().anyMatch(each -> each.record(recorder));
  }

  /// {@return the objects, by their type}
  Map<Class<?>, Object> values() {
    var values = new HashMap<Class<?>, Object>();
    opened.forEach(each -> values.put(each.provider().type(), each.value()));
    return values;
  }

  /// Closes the objects, all of them.
  ///
  /// @throws Exception the first failure; the others are suppressed in it
  void close() throws Exception {
    close(opened.size() - 1);
  }

  private void close(int last) throws Exception {
    if (last >= 0) {
      try (AutoCloseable _ = () -> close(last - 1)) {
        opened.get(last).close();
      }
    }
  }
}
