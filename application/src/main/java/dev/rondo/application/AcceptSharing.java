package dev.rondo.application;

/// The ways in which the loops of a [LoopGroup] share the connections to one port.
///
/// | | REUSE_PORT | DEALT |
/// |---|---|---|
/// | accepts | each loop, on a socket of its own | one more thread, for all |
/// | a connection goes to | the loop that a hash of its addresses says | the loop that has fewest waiting to be accepted; in turn |
/// | when one loop stops listening | connections in its backlog are reset | the others receive them |
/// | needs | `SO_REUSEPORT`, and a system that spreads connections over such sockets: Linux | nothing |
public enum AcceptSharing {

  /// [#REUSE_PORT] where it works, [#DEALT] elsewhere. The default.
  AUTOMATIC,

  /// The system spreads the connections (`SO_REUSEPORT`).
  REUSE_PORT,

  /// An acceptor, a thread named after the group, deals the connections out.
  DEALT
}
