/// How a node takes part in a cluster: its name, addresses, keys and limits, and the etcd that it
/// agrees by.
///
/// The package `dev.rondo.scheduler` states the conventions that hold for all methods.
@NullMarked
package dev.rondo.cluster.config;

import org.jspecify.annotations.NullMarked;
