/// Schedulers on several machines: [WaitForCluster] has the members of a cluster, mailboxes and
/// signals that are found by name on any of them, and leases, counters and registers that they
/// agree on.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.cluster;

import org.jspecify.annotations.NullMarked;
