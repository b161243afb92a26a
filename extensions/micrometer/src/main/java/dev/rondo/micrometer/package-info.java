/// Metrics through Micrometer: [SchedulerMetrics] binds a scheduler's meters to a registry.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.micrometer;

import org.jspecify.annotations.NullMarked;
