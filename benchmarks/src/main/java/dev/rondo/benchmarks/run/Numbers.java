package dev.rondo.benchmarks.run;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Statistics of a row's samples.
final class Numbers {

  private final List<Double> sorted = new ArrayList<>();

  void add(double value) {
    int place = Collections.binarySearch(sorted, value);
    sorted.add(place < 0 ? -place - 1 : place, value);
  }

  int count() {
    return sorted.size();
  }

  double min() {
    return sorted.get(0);
  }

  double max() {
    return sorted.get(sorted.size() - 1);
  }

  /// {@return the median}
  double median() {
    int middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }

  List<Double> values() {
    return Collections.unmodifiableList(sorted);
  }
}
