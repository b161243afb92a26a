package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.Chance;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;

/// Which operations fail with an error of the medium.
public final class Faults {

  static final String BROKEN = "Input/output error";

  private static final class Rule {

    private final Operation operation;
    private final PathMatcher paths;
    private final double probability;
    private long until;

    /// @param until after how many operations one fails; zero if chance decides
    Rule(Operation operation, PathMatcher paths, double probability, long until) {
      this.operation = operation;
      this.paths = paths;
      this.probability = probability;
      this.until = until;
    }

    boolean hits(Operation made, Path path, Chance chance) {
      if (made != operation || !paths.matches(path)) {
        return false;
      }
      if (probability > 0) {
        return chance.strikes(probability);
      }
      return until > 0 && --until == 0;
    }
  }

  private final Chance chance;
  private final List<Rule> rules = new ArrayList<>();

  /// Those that [#clear()] does not end.
  private final List<Rule> lasting = new ArrayList<>();

  Faults(Chance chance) {
    this.chance = chance;
  }

  public void chance(Operation operation, PathMatcher paths, double probability) {
    rules.add(new Rule(operation, paths, probability, 0));
  }

  public void nth(Operation operation, PathMatcher paths, long nth) {
    rules.add(new Rule(operation, paths, 0, nth));
  }

  public void clear() {
    rules.clear();
  }

  /// As [#chance], for all files, and whatever [#clear()] does.
  ///
  /// @return what ends that
  public Runnable last(Operation operation, double probability) {
    var rule = new Rule(operation, _ -> true, probability, 0);
    lasting.add(rule);
    return () -> lasting.remove(rule);
  }

  boolean hit(Operation operation, Path path) {
    boolean hit = false;
    for (Rule each : rules) {
      hit |= each.hits(operation, path, chance);
    }
    for (Rule each : lasting) {
      hit |= each.hits(operation, path, chance);
    }
    return hit;
  }

  void check(Operation operation, Path path) throws IOException {
    if (hit(operation, path)) {
      throw failure();
    }
  }

  static IOException failure() {
    return new IOException(BROKEN);
  }
}
