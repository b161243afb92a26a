package dev.rondo.exploration;

import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Each value is as likely as any other.
class UniformChooser extends Chooser {

  final SplittableRandom random;

  UniformChooser(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    return draw(count);
  }

  @Override
  long chance(ChoiceKind kind, double probability) {
    return random.nextDouble() < probability ? 1 : 0;
  }

  final long draw(long count) {
    if (count > 0) {
      return random.nextLong(count);
    }
    long value = random.nextLong();
    while (!isInside(value, count)) {
      value = random.nextLong();
    }
    return value;
  }
}
