package dev.rondo.benchmarks

import java.util.concurrent.Executors
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking

/** Channels of kotlinx.coroutines between dispatchers with a thread each. */
class LoopPeers(count: Int) : AutoCloseable {
  private val loops = List(count) { Executors.newSingleThreadExecutor().asCoroutineDispatcher() }

  /** Each sender and each receiver on a dispatcher of its own. */
  fun stream(senders: Int, receivers: Int, capacity: Int, elements: Int) = runBlocking {
    val channel = Channel<Any>(capacity)
    repeat(senders) { launch(loops[it]) { repeat(elements / senders) { channel.send(Unit) } } }
    repeat(receivers) {
      launch(loops[senders + it]) { repeat(elements / receivers) { channel.receive() } }
    }
  }

  /** Two coroutines hand an element there and back through rendezvous channels. */
  fun pingPong(rounds: Int) = runBlocking {
    val there = Channel<Any>(0)
    val back = Channel<Any>(0)
    launch(loops[0]) { repeat(rounds) { back.send(there.receive()) } }
    launch(loops[1]) {
      repeat(rounds) {
        there.send(Unit)
        back.receive()
      }
    }
  }

  override fun close() = loops.forEach { it.close() }
}
