/// Metrics through Micrometer: [SchedulerMetrics] binds what a scheduler does to a registry.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.micrometer;

import org.jspecify.annotations.NullMarked;
