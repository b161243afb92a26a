/// The engine of nodes that agree by etcd.
@NullMarked
package dev.rondo.cluster.internal.etcd;

import org.jspecify.annotations.NullMarked;
