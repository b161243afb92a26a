package dev.rondo.simulation.blocking.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What the agent finds missing.
final class JdkTransformerTest {

  @Test
  void missing_withoutAClassOfTheJdk_namesItsMethods() {
    List<String> missing = new JdkTransformer().missing();
    assertEquals(JdkPatches.ALL.size() + HookCalls.madeByJdk().size(), missing.size());
    assertTrue(missing.contains("java.lang.Thread.start"), missing.toString());
    assertTrue(missing.contains("java.net.Socket.* that reads factory"), missing.toString());
    assertTrue(
        missing.contains("java.lang.ThreadBuilders.newVirtualThread that calls isSupported"),
        missing.toString());
    assertTrue(
        missing.contains("a call of jdk.internal.misc.VM.getNanoTimeAdjustment(long)"),
        missing.toString());
  }

  @Test
  void transform_ofAClassThatIsNone_isMissing() {
    var transformer = new JdkTransformer();
    byte[] none = {1, 2, 3};
    assertNull(transformer.transform(null, null, "java/lang/Thread", null, null, none));
    assertTrue(
        transformer.missing().getLast().contains("cannot change class java.lang.Thread"),
        transformer.missing().toString());
  }
}
