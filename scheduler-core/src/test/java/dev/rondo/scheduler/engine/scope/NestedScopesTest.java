package dev.rondo.scheduler.engine.scope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.rondo.scheduler.engine.Loop;
import dev.rondo.scheduler.engine.SchedulerCore;
import dev.rondo.scheduler.testing.SchedulerTest;
import java.lang.reflect.Field;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/// Scopes that are nested more deeply than a method can call itself.
final class NestedScopesTest extends SchedulerTest {

  @Test
  void nestedScopes_ofAnyDepth_areAskedWithoutRecursion() throws Exception {
    Loop loop = ((SchedulerCore) scheduler).loop;
    Field outer = ScopeCore.class.getDeclaredField("outer");
    outer.setAccessible(true);
    var innermost = new ScopeCore(loop, "0", false);
    for (int i = 1; i <= 1_000_000; i++) {
      var inner = new ScopeCore(loop, "nested", false);
      outer.set(inner, innermost);
      innermost = inner;
    }
    assertNull(innermost.due(null));
    assertEquals(OptionalLong.empty(), innermost.deadlineNanos());
  }
}
