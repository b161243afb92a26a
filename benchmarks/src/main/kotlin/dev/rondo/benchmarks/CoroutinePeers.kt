package dev.rondo.benchmarks

import java.util.concurrent.CountDownLatch
import kotlin.coroutines.ContinuationInterceptor
import kotlinx.coroutines.Delay
import kotlinx.coroutines.DisposableHandle
import kotlinx.coroutines.InternalCoroutinesApi
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.yield

/** The kotlinx.coroutines side of the benchmarks. */
object CoroutinePeers {
  /** [tasks] coroutines of one event loop yield for ever, each turn runs the action. */
  @JvmStatic
  fun ring(tasks: Int, turn: Runnable) = runBlocking {
    repeat(tasks) {
      launch {
        while (true) {
          turn.run()
          yield()
        }
      }
    }
  }

  /** Makes [batch] coroutines and awaits all of them, [batches] times. */
  @JvmStatic
  fun spawnAndJoin(batches: Int, batch: Int): Int = runBlocking {
    var sum = 0
    repeat(batches) {
      val children = Array(batch) { async { 1 } }
      for (child in children) {
        sum += child.await()
      }
    }
    sum
  }

  /** Locks and unlocks a mutex that no other coroutine wants [pairs] times. */
  @JvmStatic
  fun lockAndUnlock(pairs: Int): Int = runBlocking {
    val mutex = Mutex()
    var inside = 0
    repeat(pairs) { mutex.withLock { inside++ } }
    inside
  }

  /** Starts a coroutine for each delay, which sleeps so long and [farMillis] more, and cancels all. */
  @JvmStatic
  fun armAndCancel(delaysNanos: LongArray, order: IntArray, farMillis: Long): Int = runBlocking {
    val jobs = arrayOfNulls<Job>(delaysNanos.size)
    for (i in delaysNanos.indices) {
      jobs[i] = launch { delay(farMillis + delaysNanos[i] / 1_000_000) }
    }
    yield() // until they sleep
    for (i in order) {
      jobs[i]!!.cancel()
    }
    jobs.size
  }

  /**
   * Arms a timeout for each delay, [farMillis] later, as `withTimeout` does, and disposes of all.
   * They belong to the thread that kotlinx has for timeouts, which never runs one of them.
   */
  @OptIn(InternalCoroutinesApi::class)
  @JvmStatic
  fun armAndDispose(delaysNanos: LongArray, order: IntArray, farMillis: Long, action: Runnable): Int =
      runBlocking {
        val timers = coroutineContext[ContinuationInterceptor] as Delay
        val armed = arrayOfNulls<DisposableHandle>(delaysNanos.size)
        for (i in delaysNanos.indices) {
          val millis = farMillis + delaysNanos[i] / 1_000_000
          armed[i] = timers.invokeOnTimeout(millis, action, coroutineContext)
        }
        for (i in order) {
          armed[i]!!.dispose()
        }
        armed.size
      }

  /**
   * Has a coroutine sleep for each number of milliseconds. When all sleep it counts [asleep] down
   * and holds the loop up until [open]. Answers how many woke.
   */
  @JvmStatic
  fun expire(millis: LongArray, asleep: CountDownLatch, open: CountDownLatch): Int {
    var woken = 0
    runBlocking {
      for (each in millis) {
        launch {
          delay(each)
          woken++
        }
      }
      yield() // until they sleep
      asleep.countDown()
      open.await()
    }
    return woken
  }

  /** Has [count] coroutines sleep until [release]; counts [asleep] down when they do. */
  @JvmStatic
  fun sleepers(count: Int, asleep: CountDownLatch, release: CountDownLatch) {
    runBlocking {
      val jobs = ArrayList<Job>(count)
      repeat(count) { jobs.add(launch { delay(3_600_000) }) }
      yield() // until they sleep
      asleep.countDown()
      release.await()
      jobs.forEach { it.cancel() }
    }
  }

  /** Has a coroutine sleep for each number of milliseconds; answers how late each woke, in nanoseconds. */
  @JvmStatic
  fun lateness(millis: IntArray): LongArray {
    val late = LongArray(millis.size)
    runBlocking {
      for (i in millis.indices) {
        launch {
          val deadline = System.nanoTime() + millis[i] * 1_000_000L
          delay(millis[i].toLong())
          late[i] = System.nanoTime() - deadline
        }
      }
    }
    return late
  }

  /** Has [count] coroutines sleep. */
  @JvmStatic
  fun sleep(count: Int, millis: Long) = runBlocking { repeat(count) { launch { delay(millis) } } }

  /** Runs code in a coroutine. */
  @JvmStatic
  fun first(code: Runnable) = runBlocking { launch { code.run() }.join() }
}
