package dev.rondo.condition;

import org.jspecify.annotations.Nullable;

/// Which of several events it was.
///
/// @param <T> what they carry
/// @param event the one that happened
/// @param payload what it carried
public record Fired<T extends @Nullable Object>(Event<? extends T> event, T payload) {}
