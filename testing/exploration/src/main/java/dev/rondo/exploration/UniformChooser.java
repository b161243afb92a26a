package dev.rondo.exploration;

import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/// Each value is as likely as any other.
class UniformChooser extends Chooser {

  /// The least chance of a switch is two to the power of this, and the greatest is 1/2.
  private static final double RAREST_SWITCH = -7;

  final SplittableRandom random;

  /// How likely a task is to lose its turn where it may. It is drawn for each run: some bugs need
  /// many switches, and others few. NaN until then.
  private double chanceOfSwitch = Double.NaN;

  UniformChooser(long seed) {
    random = new SplittableRandom(seed);
  }

  @Override
  long choose(ChoiceKind kind, int part, long count, @Nullable IntToLongFunction ids) {
    if (kind == ChoiceKind.SWITCH) {
      return isSwitched() ? 1 + random.nextLong(count - 1) : 0;
    }
    return draw(count);
  }

  /// Draws whether a task loses its turn in the middle of it.
  final boolean isSwitched() {
    if (Double.isNaN(chanceOfSwitch)) {
      chanceOfSwitch = Math.pow(2, -1 + (RAREST_SWITCH + 1) * random.nextDouble());
    }
    return random.nextDouble() < chanceOfSwitch;
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
