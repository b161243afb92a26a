/// What each engine of a cluster does, and the frames that it carries.
@NullMarked
package dev.rondo.cluster.internal.engine;

import org.jspecify.annotations.NullMarked;
