import org.jspecify.annotations.NullMarked;

/// Applications inside the event loop of a user interface.
@NullMarked
module dev.rondo.ui {
  requires transitive dev.rondo.application;
  requires static transitive java.desktop;
  requires static javafx
      .graphics; // transitive, it would be required of every module that requires this one
  requires static org.jspecify;

  exports dev.rondo.ui;
}
