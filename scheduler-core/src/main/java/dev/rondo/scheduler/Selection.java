package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// What a select came to.
///
/// @param <T> what it results in
/// @param index which branch won, counted from 0
/// @param value what it delivered
public record Selection<T extends @Nullable Object>(int index, T value) {}
