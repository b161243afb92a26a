package dev.rondo.scheduler.engine.view;

import dev.rondo.scheduler.addon.ContextPropagation;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// The mapped diagnostic context of SLF4J, see [ContextPropagation#mdc()].
public final class DiagnosticContext implements ContextPropagation<Map<String, String>> {

  /// For [ContextPropagation], which finds the class by its name.
  public DiagnosticContext() {}

  @Override
  public @Nullable Map<String, String> capture() {
    Map<String, String> copy = MDC.getCopyOfContextMap();
    return copy == null || copy.isEmpty() ? null : copy;
  }

  @Override
  public void restore(@Nullable Map<String, String> snapshot) {
    if (snapshot == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(snapshot);
    }
  }

  @Override
  public String toString() {
    return "MDC";
  }
}
