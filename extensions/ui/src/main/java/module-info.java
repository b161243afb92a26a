import org.jspecify.annotations.NullMarked;

/// Applications inside the event loop of a user interface.
@NullMarked
module dev.rondo.ui {
  requires transitive dev.rondo.application;
  requires static transitive java.desktop;
  // Not transitive, or every module that requires this one would require it, too.
  requires static javafx.graphics;
  requires static org.jspecify;

  exports dev.rondo.ui;
}
