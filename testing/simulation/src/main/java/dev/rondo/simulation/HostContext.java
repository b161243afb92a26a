package dev.rondo.simulation;

import dev.rondo.scheduler.addon.ContextPropagation;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/// The host's name in the logs of tasks that have a thread of their own; [WorldDriver] sees to the
/// world's thread.
///
/// @param host its name
/// @param thread of the world
record HostContext(String host, NetworkThread thread) implements ContextPropagation<Boolean> {

  @Override
  public @Nullable Boolean capture() {
    return null;
  }

  @Override
  public void restore(@Nullable Boolean snapshot) {
    if (!thread.isHere()) {
      MDC.put(World.MDC_HOST, host);
    }
  }
}
