/// A replicated key-value store: a small Raft, after Ongaro and Ousterhout, "In Search of an
/// Understandable Consensus Algorithm" (2014) and Ongaro's thesis.
///
/// | | |
/// |---|---|
/// | [Replica] | one of the servers: its tasks, its sockets |
/// | [Client] | what programs use: put, get, compare and set |
/// | `Raft` and its roles `Follower`, `Campaign`, `Leadership` | the algorithm: plain calls, no task, no socket |
/// | `Storage`, `Log`, `RecordFile` | what is on disk |
/// | `Store` | the state machine, with a session for each client |
/// | `Message`, `Command`, `Wire` | what is said, and how it is encoded |
///
/// A message is handled in one turn of the loop, including its writes to the disk, so no task ever
/// sees half of a change. The loop stands still meanwhile. That costs a replica nothing, because it
/// must not answer before the disk has the data. Commands of one round share a write.
///
/// Left out: changes of membership. A snapshot is sent in one piece.
@NullMarked
package dev.rondo.examples.replicatedlog;

import org.jspecify.annotations.NullMarked;
