package dev.rondo.simulation.internal.disk;

import dev.rondo.simulation.internal.Chance;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

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

    boolean hits(Operation made, Path path, RandomGenerator random) {
      if (made != operation || !paths.matches(path)) {
        return false;
      }
      if (probability > 0) {
        return Chance.hits(random, probability);
      }
      return until > 0 && --until == 0;
    }
  }

  private final RandomGenerator random;
  private final List<Rule> rules = new ArrayList<>();

  Faults(RandomGenerator random) {
    this.random = random;
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

  boolean hit(Operation operation, Path path) {
    boolean hit = false;
    for (Rule each : rules) {
      hit |= each.hits(operation, path, random);
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
