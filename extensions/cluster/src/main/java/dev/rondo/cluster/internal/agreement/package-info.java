/// The state that all nodes have in common: leases, counters and registers, and the commands that
/// change them.
@NullMarked
package dev.rondo.cluster.internal.agreement;

import org.jspecify.annotations.NullMarked;
