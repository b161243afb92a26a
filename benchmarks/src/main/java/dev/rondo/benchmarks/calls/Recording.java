package dev.rondo.benchmarks.calls;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The calls of one wait, in order.
record Recording(List<Call> calls) {

  /// One call.
  ///
  /// @param method the called method
  /// @param depth the number of instrumented methods below it on the stack; 0 if that was not
  ///   recorded
  record Call(Method method, int depth) {}

  /// {@return a recording with the most frequent number of calls; of several such numbers, the
  /// least}
  static Recording usual(List<Recording> all) {
    Map<Integer, List<Recording>> bySize =
        all.stream().collect(groupingBy(Recording::size, TreeMap::new, toList()));
    return Collections.max(bySize.values(), Comparator.comparingInt(List::size)).getFirst();
  }

  /// {@return the number of calls}
  int size() {
    return calls.size();
  }

  /// {@return the number of classes of the methods; nested classes count as their outermost class}
  int classes() {
    return (int) calls.stream().map(call -> call.method().topLevelClassName()).distinct().count();
  }

  /// {@return the calls as a tree: one line each, indented by depth, with the number of calls in it
  /// if it makes any}
  String tree() {
    int lowest = calls.stream().mapToInt(Call::depth).min().orElse(0);
    var text = new StringBuilder();
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      text.repeat("  ", call.depth() - lowest).append(call.method());
      int inside = end(i) - i;
      if (inside > 1) {
        text.append("  ").append(inside);
      }
      text.append('\n');
    }
    return text.toString();
  }

  /// {@return the index of the first call after those that a call makes}
  private int end(int first) {
    int end = first + 1;
    while (end < calls.size() && calls.get(end).depth() > calls.get(first).depth()) {
      end++;
    }
    return end;
  }
}
