package com.acme.libraries;

import java.util.ArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Work of some threads, which must succeed.
final class Work {

  private Work() {}

  /// A piece of it.
  @FunctionalInterface
  interface Piece {
    void run(int number) throws Exception;
  }

  /// Does all pieces, and fails if one has failed.
  static void run(int threads, int pieces, Piece piece) throws Exception {
    try (var pool = Executors.newFixedThreadPool(threads)) {
      var all = new ArrayList<Future<?>>();
      for (int i = 0; i < pieces; i++) {
        int number = i;
        all.add(
            pool.submit(() -> {
              piece.run(number);
              return null;
            }));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
  }
}
