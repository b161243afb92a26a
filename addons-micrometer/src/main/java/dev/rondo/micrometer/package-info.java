/// Metrics through Micrometer: [SchedulerMetrics] binds what a scheduler does to a registry.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.micrometer;

import org.jspecify.annotations.NullMarked;
