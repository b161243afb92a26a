package dev.rondo.benchmarks.servers

import io.ktor.network.selector.SelectorManager
import io.ktor.network.sockets.InetSocketAddress
import io.ktor.network.sockets.Socket
import io.ktor.network.sockets.aSocket
import io.ktor.network.sockets.openReadChannel
import io.ktor.network.sockets.openWriteChannel
import io.ktor.utils.io.ClosedByteChannelException
import io.ktor.utils.io.readAvailable
import io.ktor.utils.io.writeFully
import java.util.function.IntConsumer
import kotlin.time.Duration.Companion.nanoseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.yield

/**
 * An echo server of kotlinx.coroutines, with the sockets of ktor-network. All coroutines are on one
 * thread; the selector has another one, as ktor's documentation has it.
 */
object CoroutineServer {
  private const val BUFFER_BYTES = 256

  /** What else the thread has to do. Times are in nanoseconds. */
  class Work(
    val beatNanos: Long,
    val beat: Runnable,
    val tickNanos: Long,
    val jobs: Int,
    val job: Runnable,
    val timeoutNanos: Long,
    val timers: Int,
    val expire: Runnable,
  )

  /** Echoes until the process ends. */
  @JvmStatic
  fun echo(work: Work, port: IntConsumer) = runBlocking {
    launch { every(work.beatNanos) { work.beat.run() } }
    launch { tick(work) }
    val server = aSocket(SelectorManager(Dispatchers.IO)).tcp().bind("127.0.0.1", 0)
    port.accept((server.localAddress as InetSocketAddress).port)
    while (true) {
      val socket = server.accept()
      launch { echo(socket) }
    }
  }

  private suspend fun echo(socket: Socket) {
    val input = socket.openReadChannel()
    val output = socket.openWriteChannel()
    val buffer = ByteArray(BUFFER_BYTES)
    try {
      while (true) {
        val n = input.readAvailable(buffer)
        if (n < 0) {
          break
        }
        output.writeFully(buffer, 0, n)
        output.flush()
      }
    } catch (e: ClosedByteChannelException) {
      // the client has left
    } finally {
      socket.close()
    }
  }

  private suspend fun CoroutineScope.tick(work: Work) {
    val armed = ArrayDeque<Job>()
    every(work.tickNanos) {
      repeat(work.jobs) {
        launch { work.job.run() }
        armed.add(
          launch {
            delay(work.timeoutNanos.nanoseconds)
            work.expire.run()
          }
        )
      }
      while (armed.size > work.timers) {
        armed.removeFirst().cancel()
      }
    }
  }

  /** At a fixed rate. Delays of kotlinx.coroutines are whole milliseconds. */
  private suspend fun every(nanos: Long, action: () -> Unit) {
    var due = System.nanoTime()
    while (true) {
      due += nanos
      val left = due - System.nanoTime()
      if (left > 0) delay(left.nanoseconds) else yield()
      action()
    }
  }
}
