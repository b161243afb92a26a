/// Schedulers on several machines: [WaitForCluster] has the members of a cluster, and mailboxes and
/// signals that are found by name on any of them.
@NullMarked
package dev.rondo.cluster;

import org.jspecify.annotations.NullMarked;
