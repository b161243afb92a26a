package dev.rondo.scheduler.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Shrinks a failing script: removes smaller and smaller parts, as long as the rest still fails.
/// After A. Zeller and R. Hildebrandt, *Simplifying and Isolating Failure-Inducing Input* (2002),
/// without the half that tests the parts alone.
public final class Shrinker {

  private Shrinker() {}

  /// Shrinks a script. Unless the attempts run out, no single step of the result can be removed.
  ///
  /// @param <S> one step of a script
  /// @param failing a script that fails
  /// @param attempts how often to try at most
  /// @param fails whether a script fails, always the same
  /// @return a part of the script, in its order, that fails
  public static <S> List<S> shrink(
      List<? extends S> failing, int attempts, Predicate<? super List<S>> fails) {
    List<S> smallest = new ArrayList<>(failing);
    int left = attempts;
    int length = Math.max(1, smallest.size() / 2);
    while (true) {
      boolean smaller = false;
      for (int from = 0; from < smallest.size() && left > 0; left--) {
        List<S> candidate = without(smallest, from, length);
        if (fails.test(candidate)) {
          smallest = candidate;
          smaller = true;
        } else {
          from += length;
        }
      }
      if (left == 0 || (length == 1 && !smaller)) {
        return smallest;
      }
      length = Math.max(1, length / 2);
    }
  }

  private static <S> List<S> without(List<S> script, int from, int length) {
    var rest = new ArrayList<S>(script.subList(0, from));
    rest.addAll(script.subList(Math.min(from + length, script.size()), script.size()));
    return rest;
  }
}
