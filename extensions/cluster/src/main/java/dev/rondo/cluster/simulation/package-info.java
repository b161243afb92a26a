/// The etcd of a simulated world, by which the nodes on its hosts agree.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.cluster.simulation;

import org.jspecify.annotations.NullMarked;
