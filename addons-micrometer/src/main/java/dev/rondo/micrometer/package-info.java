/// Metrics through Micrometer: [SchedulerMetrics] binds what a scheduler does to a registry.
@NullMarked
package dev.rondo.micrometer;

import org.jspecify.annotations.NullMarked;
