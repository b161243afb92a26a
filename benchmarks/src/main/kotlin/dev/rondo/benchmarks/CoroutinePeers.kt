package dev.rondo.benchmarks

import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** The kotlinx.coroutines side of the benchmarks. */
object CoroutinePeers {
  /** Yields [turns] times in one event loop and returns how often it came back. */
  @JvmStatic
  fun yields(turns: Int): Int = runBlocking {
    var count = 0
    repeat(turns) {
      yield()
      count++
    }
    count
  }
}
