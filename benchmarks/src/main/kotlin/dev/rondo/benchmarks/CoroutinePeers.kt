package dev.rondo.benchmarks

import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/** The kotlinx.coroutines side of the benchmarks. */
object CoroutinePeers {
  /** [tasks] coroutines of one event loop yield [switches] times between them. */
  @JvmStatic
  fun ring(tasks: Int, switches: Int) = runBlocking {
    repeat(tasks) { launch { repeat(switches / tasks) { yield() } } }
  }

  /** Makes [children] coroutines and awaits each before the next. */
  @JvmStatic
  fun spawnAndJoin(children: Int): Int = runBlocking {
    var sum = 0
    repeat(children) { sum += async { 1 }.await() }
    sum
  }
}
