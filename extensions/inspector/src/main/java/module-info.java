import org.jspecify.annotations.NullMarked;

/// The inspector: a web page of what the loops of a process are doing.
@NullMarked
module dev.rondo.inspector {
  requires dev.rondo.application;
  requires static org.jspecify;
  requires org.slf4j;

  provides dev.rondo.application.internal.InspectorProvider with
      dev.rondo.inspector.ServerProvider;
}
