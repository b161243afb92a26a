/// A key-value store on one disk that loses no acknowledged value, whenever the process dies or the
/// power fails.
///
/// | | |
/// |---|---|
/// | [DurableStore] | the values: in memory, in a snapshot and in a write-ahead log |
/// | [StoreServer] | lines over TCP |
///
/// Neither class knows of simulations. `DurableStoreWorldTest` runs both on a simulated host, whose
/// power fails between any two of their lines.
@NullMarked
package dev.rondo.examples.durablestore;

import org.jspecify.annotations.NullMarked;
