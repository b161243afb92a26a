import org.jspecify.annotations.NullMarked;

/// Waiting for IO. TLS, DNS queries and terminals need a library each, which are optional.
///
/// The one for TLS has no module name of its own, only that of its file, which nobody should depend
/// on; so it is not named here. It may be on the class path; on the module path it takes
/// `--add-modules tls.channel`. This module reads it when it is first used.
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"})
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
}
