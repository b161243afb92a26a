package dev.rondo.examples.replicatedlog;

/// An entry of the log.
record Entry(Position position, Command command) {

  long index() {
    return position.index();
  }

  long term() {
    return position.term();
  }
}
