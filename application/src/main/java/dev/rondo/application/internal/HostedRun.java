package dev.rondo.application.internal;

import dev.rondo.scheduler.addon.AddOn;
import java.util.concurrent.CompletableFuture;

/// The run of an application inside a foreign event loop. It is an add-on so that the shutdown hook
/// can find it.
public interface HostedRun extends AddOn {

  /// {@return a future that completes when the application has ended, or will never continue} Any
  /// thread.
  CompletableFuture<?> end();
}
