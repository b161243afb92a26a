/// The members of a cluster, as one of them sees them, and what it means when one cannot be
/// reached.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.cluster.members;

import org.jspecify.annotations.NullMarked;
