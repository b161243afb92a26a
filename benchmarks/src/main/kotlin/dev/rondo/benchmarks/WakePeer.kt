package dev.rondo.benchmarks

import java.util.concurrent.SynchronousQueue
import kotlin.concurrent.thread
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.cancelChildren
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/**
 * [waiters] coroutines of kotlinx.coroutines that await one deferred value after another. They are
 * made once, on an event loop that is blocked between two calls of [wake].
 */
class WakePeer(private val waiters: Int) : AutoCloseable {
  private val commands = SynchronousQueue<Int>()
  private val results = SynchronousQueue<Int>()
  private val loop = thread(name = "waiters") { run() }

  private fun run() = runBlocking {
    var sum = 0
    var go = CompletableDeferred<Int>()
    repeat(waiters) { launch { while (true) sum += go.await() } }
    yield() // until they wait
    while (true) {
      val rounds = commands.take()
      if (rounds == 0) {
        break
      }
      repeat(rounds) {
        val now = go
        go = CompletableDeferred()
        now.complete(1)
        yield() // behind all that were woken
      }
      results.put(sum)
    }
    coroutineContext.cancelChildren()
  }

  /** Wakes all of them [rounds] times, at least once; answers how many have woken since the beginning. */
  fun wake(rounds: Int): Int {
    commands.put(rounds)
    return results.take()
  }

  override fun close() {
    commands.put(0)
    loop.join()
  }
}
