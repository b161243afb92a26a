package dev.rondo.application.internal;

import dev.rondo.scheduler.AddOn;
import java.util.concurrent.CompletableFuture;

/// Whose event loop an application runs in: an add-on, to be found.
public interface HostedRun extends AddOn {

  /// {@return completed when the application has ended, or will never go on} Any thread.
  CompletableFuture<?> end();
}
