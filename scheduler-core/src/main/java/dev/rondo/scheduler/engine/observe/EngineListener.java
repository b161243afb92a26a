package dev.rondo.scheduler.engine.observe;

import dev.rondo.scheduler.observe.TaskListener;

/// A listener of the engine's own. It does not block, and is called where the loop runs.
public interface EngineListener extends TaskListener {}
