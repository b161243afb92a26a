package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.observe.TaskListener;

/// A listener to the end of a scheduler only: it is not called for tasks, and costs no turn.
public interface EndListener extends TaskListener {}
