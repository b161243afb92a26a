import org.jspecify.annotations.NullMarked;

/// IO for tasks. TLS, DNS queries and terminals each require an optional library.
///
/// The library for TLS has no stable module name, only one derived from its file, so it is not
/// named here. It may be on the class path; on the module path it requires `--add-modules
/// tls.channel`. This module reads it when it is first used. The module of the export comes later.
@NullMarked
@SuppressWarnings({"module", "requires-automatic", "requires-transitive-automatic"})
module dev.rondo.io {
  requires java.management;
  requires jdk.unsupported;
  requires static org.jline;
  requires static org.jspecify;
  requires static org.dnsjava;
  requires transitive dev.rondo.scheduler;

  exports dev.rondo.io;
  exports dev.rondo.io.dns;
  exports dev.rondo.io.file;
  exports dev.rondo.io.process;
  exports dev.rondo.io.system;
  exports dev.rondo.io.terminal;
  exports dev.rondo.io.tls;
  exports dev.rondo.io.internal.alarm to
      dev.rondo.netty;
  exports dev.rondo.io.internal.lent to
      dev.rondo.inspector,
      dev.rondo.micrometer,
      dev.rondo.simulation,
      dev.rondo.ui;
}
