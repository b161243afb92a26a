/// Schedulers on several machines: [WaitForCluster] has the members of a cluster, mailboxes and
/// signals that are found by name on any of them, and leases, elections, counters and registers
/// that they agree on.
///
/// What the comments leave out is in the package `dev.rondo.scheduler`.
@NullMarked
package dev.rondo.cluster;

import org.jspecify.annotations.NullMarked;
