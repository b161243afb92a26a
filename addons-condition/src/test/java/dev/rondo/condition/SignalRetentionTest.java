package dev.rondo.condition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/// The value of a signal can be collected once the signal was handled.
final class SignalRetentionTest extends OnEveryBackend {

  private static void assertCollected(WeakReference<?> reference) {
    for (int i = 0; i < 20 && reference.get() != null; i++) {
      System.gc();
    }
    assertNull(reference.get(), "is still held");
  }

  private WeakReference<Object> send() {
    var payload = new Object();
    signals.signalAll("go", payload);
    settle();
    return new WeakReference<>(payload);
  }

  @Test
  void payload_thatAHandlerHasHandled_isNotHeld() {
    int[] handled = {0};
    HandlerRegistration registration = signals.signal("go").onSignal(payload -> handled[0]++);
    assertCollected(send());
    assertCollected(send());
    assertEquals(2, handled[0]);
    registration.cancel();
    settle();
  }
}
