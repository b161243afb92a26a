package dev.rondo.computicle;

import dev.rondo.scheduler.internal.rooms.WaitClaim;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The inside of an endpoint: a queue of messages between threads, and the parties that wait to
/// send or to receive.
///
/// Between two calls the following holds. If a party waits to receive, the buffer is empty. If a
/// party waits to send, the buffer is full. Parties whose wait is over do not count. Parties of
/// both kinds at once are branches of one task's select.
///
/// A call takes the claim of the party that it serves. If the call has a party of its own, which
/// another thread may serve meanwhile, it takes both claims together: see [WaitClaim]. The element
/// that a party receives or has sent is decided under the lock. The wait is settled outside of the
/// lock. So an element is always in exactly one place, whatever ends a wait. Go's `select` works in
/// the same way; its `selectDone` is the claim here.
///
/// Any thread.
final class Exchange {

  /// The result of a call that is neither an element nor a [Closing].
  enum Answer {
    /// The element was taken.
    SENT,
    /// The call cannot be served now; its party, if there is one, waits.
    WAIT,
    /// The wait of the party is over, or promised to another thread.
    PROMISED
  }

  private final int capacity;
  private final SpinLock lock = new SpinLock();
  private final ArrayDeque<Object> buffer = new ArrayDeque<>();

  /// In the order they began to wait.
  private final SequencedSet<Party> senders = new LinkedHashSet<>();

  private final SequencedSet<Party> receivers = new LinkedHashSet<>();

  /// Set once, under the lock.
  private volatile @Nullable Closing closing;

  Exchange(int capacity) {
    this.capacity = capacity;
  }

  /// Sends an element, or makes a party wait to send it.
  ///
  /// @param mine the party that waits if necessary; null to only try
  /// @return an [Answer] or a [Closing]; with [Answer#SENT] the claim of the party was taken
  Object put(Object element, @Nullable Party mine) {
    Party receiver;
    lock.lock();
    try {
      Closing closed = closing;
      if (closed != null) {
        return closed;
      }
      receiver = claimFirst(receivers, mine);
      if (receiver == null) {
        return putIntoBuffer(element, mine);
      }
    } finally {
      lock.unlock();
    }
    receiver.settle(element);
    return Answer.SENT;
  }

  private Answer putIntoBuffer(Object element, @Nullable Party mine) {
    if (buffer.size() >= capacity) {
      return stay(senders, mine);
    }
    if (mine != null && !mine.claim.tryTake()) {
      return Answer.PROMISED;
    }
    buffer.add(element);
    return Answer.SENT;
  }

  private static Answer stay(SequencedSet<Party> queue, @Nullable Party mine) {
    if (mine != null) {
      if (mine.claim.isTaken()) {
        return Answer.PROMISED;
      }
      queue.add(mine);
    }
    return Answer.WAIT;
  }

  /// Receives an element, or makes a party wait to receive one.
  ///
  /// @param mine the party that waits if necessary; null to only try
  /// @return an element, an [Answer] or a [Closing]; with an element the claim of the party was
  ///   taken
  Object take(@Nullable Party mine) {
    Party sender;
    Object element;
    lock.lock();
    try {
      element = buffer.peek();
      if (element != null) {
        if (mine != null && !mine.claim.tryTake()) {
          return Answer.PROMISED;
        }
        buffer.remove();
        sender = refill();
      } else {
        sender = claimFirst(senders, mine);
        if (sender == null) {
          Closing closed = closing;
          return closed != null ? closed : stay(receivers, mine);
        }
        element = sender.element;
      }
    } finally {
      lock.unlock();
    }
    if (sender != null) {
      sender.settle(Answer.SENT);
    }
    return element == null ? Answer.WAIT : element;
  }

  /// Receives several elements at once, without waiting.
  void takeSome(int atMost, Consumer<Object> taker) {
    List<Object> taken = new ArrayList<>();
    List<Party> served = new ArrayList<>();
    lock.lock();
    try {
      while (taken.size() < atMost) {
        Object element = buffer.poll();
        Party sender = element == null ? claimFirst(senders, null) : refill();
        if (sender != null) {
          served.add(sender);
          element = element == null ? sender.element : element;
        }
        if (element == null) {
          break;
        }
        taken.add(element);
      }
    } finally {
      lock.unlock();
    }
    served.forEach(each -> each.settle(Answer.SENT));
    taken.forEach(taker);
  }

  /// There is room in the buffer. Moves the element of the first sender into it.
  ///
  /// @return the sender; null if no sender waits
  private @Nullable Party refill() {
    Party sender = buffer.size() < capacity ? claimFirst(senders, null) : null;
    if (sender != null && sender.element != null) {
      buffer.add(sender.element);
    }
    return sender;
  }

  /// Takes the claim of the first waiting party, together with the claim of the caller's own party
  /// if there is one, and removes the first party. A task does not exchange messages with itself.
  private static @Nullable Party claimFirst(SequencedSet<Party> queue, @Nullable Party mine) {
    if (queue.isEmpty()) {
      return null;
    }
    for (Iterator<Party> parties = queue.iterator(); parties.hasNext(); ) {
      Party each = parties.next();
      if (mine == null) {
        parties.remove();
        if (each.claim.tryTake()) {
          return each;
        }
      } else if (each.claim != mine.claim) {
        if (WaitClaim.tryTakeBoth(mine.claim, each.claim)) {
          parties.remove();
          return each;
        }
        if (mine.claim.isTaken()) {
          return null;
        }
        parties.remove(); // its wait is over
      }
    }
    return null;
  }

  /// Takes back an element from a party that has given up its wait. The element goes to the next
  /// party, before all other elements.
  void giveBack(Object element) {
    Party receiver;
    lock.lock();
    try {
      receiver = claimFirst(receivers, null);
      if (receiver == null) {
        buffer.addFirst(element);
      }
    } finally {
      lock.unlock();
    }
    if (receiver != null) {
      receiver.settle(element);
    }
  }

  /// Ends the wait of a party.
  void leave(Party party) {
    lock.lock();
    try {
      boolean _ = (party.element == null ? receivers : senders).remove(party);
    } finally {
      lock.unlock();
    }
  }

  /// Takes no more elements, and ends all waits. Of several calls the first counts.
  void close(Closing reason) {
    List<Party> left = new ArrayList<>();
    lock.lock();
    try {
      if (closing != null) {
        return;
      }
      closing = reason;
      collect(receivers, left);
      collect(senders, left);
    } finally {
      lock.unlock();
    }
    left.forEach(each -> each.settle(reason));
  }

  private static void collect(SequencedSet<Party> queue, List<Party> into) {
    Party party;
    while ((party = claimFirst(queue, null)) != null) {
      into.add(party);
    }
  }

  /// {@return the elements of the buffer, which this removes}
  List<Object> clear() {
    lock.lock();
    try {
      List<Object> left = List.copyOf(buffer);
      buffer.clear();
      return left;
    } finally {
      lock.unlock();
    }
  }

  @Nullable Closing closing() {
    return closing;
  }

  int capacity() {
    return capacity;
  }

  int size() {
    lock.lock();
    try {
      return buffer.size();
    } finally {
      lock.unlock();
    }
  }

  /// {@return the number of parties that wait to send, including waits that are just ending}
  int waitingSenderCount() {
    lock.lock();
    try {
      return senders.size();
    } finally {
      lock.unlock();
    }
  }

  /// {@return the number of parties that wait to receive, including waits that are just ending}
  int waitingReceiverCount() {
    lock.lock();
    try {
      return receivers.size();
    } finally {
      lock.unlock();
    }
  }
}
