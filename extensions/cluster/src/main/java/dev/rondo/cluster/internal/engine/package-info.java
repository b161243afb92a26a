/// The seam between a cluster and its engines, and the frames that it carries.
@NullMarked
package dev.rondo.cluster.internal.engine;

import org.jspecify.annotations.NullMarked;
