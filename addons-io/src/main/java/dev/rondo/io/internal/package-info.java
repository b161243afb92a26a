/// Code that the packages of this module share: calls that block a thread ([Workers],
/// [DetachableCall]), the JVM's signals, and optional libraries. Not exported.
@NullMarked
package dev.rondo.io.internal;

import org.jspecify.annotations.NullMarked;
