package dev.rondo.benchmarks.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class MachineSpeedTest {

  @Test
  void toString_hasUnits() {
    assertEquals(
        "a step 1.25 ns, a read from memory 98 ns", new MachineSpeed(1.251, 98.4).toString());
  }
}
