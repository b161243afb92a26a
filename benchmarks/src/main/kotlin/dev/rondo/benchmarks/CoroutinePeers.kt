package dev.rondo.benchmarks

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.async
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
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

  /** [waiters] coroutines await one deferred value, which is then completed. */
  @JvmStatic
  fun wakeAll(waiters: Int): Int {
    var sum = 0
    runBlocking {
      val go = CompletableDeferred<Int>()
      repeat(waiters) { launch { sum += go.await() } }
      launch { go.complete(1) }
    }
    return sum
  }

  /** Locks and unlocks a mutex that nobody else wants [pairs] times. */
  @JvmStatic
  fun lockAndUnlock(pairs: Int): Int = runBlocking {
    val mutex = Mutex()
    var inside = 0
    repeat(pairs) { mutex.withLock { inside++ } }
    inside
  }
}
