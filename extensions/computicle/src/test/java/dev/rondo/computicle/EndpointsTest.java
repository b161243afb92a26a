package dev.rondo.computicle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/// Endpoints by name, and what the check of messages finds.
final class EndpointsTest {

  private final Endpoints endpoints = new Endpoints();

  @Test
  void sameName_isTheSameEndpoint() {
    assertSame(endpoints.in("a", String.class), endpoints.out("a", String.class));
    assertSame(endpoints.any("b", String.class, 3), endpoints.any("b", String.class));
    assertEquals(0, endpoints.any("a", String.class).capacity());
    assertEquals(Set.of("a", "b"), endpoints.names());
    assertNotSame(endpoints.any("a", String.class), new Endpoints().any("a", String.class));
    assertSame(Endpoints.global(), Endpoints.global());
  }

  @Test
  void closed_theNameIsFree() {
    Endpoint<String> first = endpoints.any("a", String.class);
    first.close();
    assertEquals(Set.of(), endpoints.names());
    Endpoint<Integer> second = endpoints.any("a", Integer.class);
    first.close();
    assertEquals(Set.of("a"), endpoints.names());
    second.cancel();
    assertEquals(Set.of(), endpoints.names());
  }

  @Test
  void anotherTypeOrCapacity_isRefused() {
    endpoints.any("a", String.class, 2);
    var type = assertThrows(IllegalArgumentException.class, () -> endpoints.in("a", Integer.class));
    assertEquals(
        "endpoint 'a' has messages of type java.lang.String, and not java.lang.Integer",
        type.getMessage());
    var capacity =
        assertThrows(IllegalArgumentException.class, () -> endpoints.any("a", String.class, 3));
    assertEquals("endpoint 'a' has capacity=2 already, and not 3", capacity.getMessage());
  }

  @Test
  void check_messageChangedUnderWay_isFound() {
    var checked = new Endpoint<int[]>("checked", 2, true, () -> {});
    int[] message = {1, 2};
    assertTrue(checked.trySend(message));
    message[1] = 3;
    var told = assertThrows(IllegalStateException.class, checked::tryReceive);
    assertTrue(told.getMessage().contains("was changed after it was sent"), told.getMessage());
    assertEquals("sent here", told.getCause().getMessage());
    assertTrue(checked.trySend(message));
    assertSame(message, checked.tryReceive());
  }
}
