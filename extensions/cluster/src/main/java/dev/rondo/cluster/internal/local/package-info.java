/// The engine of a node that is alone, which keeps what it has agreed to in a folder.
@NullMarked
package dev.rondo.cluster.internal.local;

import org.jspecify.annotations.NullMarked;
