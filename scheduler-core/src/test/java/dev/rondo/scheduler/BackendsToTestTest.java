package dev.rondo.scheduler;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.scheduler.testing.BackendsToTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests which backends are tested.
final class BackendsToTestTest {

  private static final String REQUIRED = "rondo.test.required";

  private final String before = System.getProperty(REQUIRED);

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(REQUIRED);
    } else {
      System.setProperty(REQUIRED, before);
    }
  }

  @Test
  void of_requiredBackendIsMissing_namesTheDependency() {
    System.setProperty(REQUIRED, "continuation,bound"); // which the core cannot see
    var e =
        assertThrows(
            IllegalStateException.class, () -> BackendsToTest.of(BackendsToTestTest.class));
    assertTrue(e.getMessage().contains("add rondo-addons-bound"), e::getMessage);
  }

  @Test
  void of_requiredBackendIsThere_isNoError() {
    System.setProperty(REQUIRED, "handoff");
    assertFalse(BackendsToTest.of(BackendsToTestTest.class).isEmpty());
  }
}
