package dev.rondo.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.cluster.config.ClusterConfig;
import dev.rondo.cluster.config.ClusterLimits;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Limits that are as large as can be, and messages that are larger than a limit.
final class ClusterLimitsTest extends ClusterRig {

  private static final Duration FOR_EVER = Duration.ofSeconds(Long.MAX_VALUE);

  @Test
  void aNode_whoseTimesAreForEver_joinsAndLeaves() throws Exception {
    ClusterLimits limits =
        new ClusterLimits(1 << 28, FOR_EVER, FOR_EVER, FOR_EVER, FOR_EVER, FOR_EVER)
            .withMessageBytes(4);
    Node a = node(ClusterConfig.of("a").at(anyPort()).limited(limits));
    a.join();
    var tooLarge =
        assertThrows(
            IllegalArgumentException.class,
            () -> a.run(() -> a.cluster.to("a", "box", Codec.utf8()).send("large")));
    assertEquals(
        "a message may have 4 bytes, but this one has 5: see ClusterLimits.withMessageBytes(..)",
        tooLarge.getMessage());
    a.leave();
  }

  @Test
  void messageBytes_ofMoreThanACommandCanHave_isRefused() {
    var refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> ClusterLimits.USUAL.withMessageBytes((1 << 28) + 1));
    assertTrue(refused.getMessage().contains("268435456"), refused::getMessage);
  }
}
