package dev.rondo.scheduler;

import org.jspecify.annotations.Nullable;

/// The result of a select.
///
/// @param <T> the type of the result
/// @param index which branch won, counted from 0
/// @param value the value of its event
public record Selection<T extends @Nullable Object>(int index, T value) {}
