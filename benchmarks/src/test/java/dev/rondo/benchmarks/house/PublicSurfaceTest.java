package dev.rondo.benchmarks.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PublicSurfaceTest {

  @Test
  void everyPublicMethod_isCalledByAProgramOrHasAReason() throws IOException {
    assumeTrue(
        PublicSurface.notCompiled().isEmpty(),
        () -> "not compiled: " + PublicSurface.notCompiled());
    var counts = new ByteArrayOutputStream();
    Set<String> left;
    try (var out = new PrintStream(counts, true, StandardCharsets.UTF_8)) {
      left = PublicSurface.ofAllModules().report(out, false);
    }
    assertEquals(Set.of(), left, "say in surface.txt what they are for, or take them away");
  }
}
