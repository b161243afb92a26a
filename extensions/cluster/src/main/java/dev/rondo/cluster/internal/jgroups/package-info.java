/// The engine whose members send by JGroups.
@NullMarked
package dev.rondo.cluster.internal.jgroups;

import org.jspecify.annotations.NullMarked;
