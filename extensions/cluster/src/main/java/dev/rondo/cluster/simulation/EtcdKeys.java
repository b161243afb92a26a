package dev.rondo.cluster.simulation;

import dev.rondo.cluster.internal.etcd.EtcdMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The keys of an etcd at all its revisions, as its protocol has them: see [EtcdMessage] for the
/// fields. There is one copy, and each request is answered at one instant, so that all answers are
/// linearizable.
///
/// Confined to the scheduler's thread.
class EtcdKeys {

  /// A change of a key.
  ///
  /// @param value null if it was deleted
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Change(String key, long revision, byte @Nullable [] value) {

    private EtcdMessage pair() {
      EtcdMessage pair = new EtcdMessage().with(1, key).with(3, revision);
      return value == null ? pair : pair.with(5, value);
    }

    private EtcdMessage event() {
      EtcdMessage event = new EtcdMessage();
      return (value == null ? event.with(1, 1) : event).with(2, pair());
    }
  }

  /// So many changes are kept; older ones are compacted.
  private static final int MOST_CHANGES = 1_000;

  private final long identity;

  /// All of them that are not compacted, in order.
  private final List<Change> changes = new ArrayList<>();

  /// The changes of each key, the last one in any case.
  private final NavigableMap<String, List<Change>> keys = new TreeMap<>();

  private long revision = 1;

  /// Earlier revisions are not known.
  private long compacted;

  EtcdKeys(long identity) {
    this.identity = identity;
  }

  long identity() {
    return identity;
  }

  long revision() {
    return revision;
  }

  EtcdMessage header() {
    return new EtcdMessage().with(1, identity).with(3, revision);
  }

  /// Answers a range.
  ///
  /// @return null if its revision was compacted
  @Nullable EtcdMessage range(EtcdMessage request) {
    long asked = request.number(4);
    if (asked != 0 && asked < compacted) {
      return null;
    }
    long most = request.number(3);
    EtcdMessage response = new EtcdMessage().with(1, header());
    int count = 0;
    for (List<Change> each : within(request.text(1), request.text(2)).values()) {
      Change found = at(each, asked == 0 ? revision : asked);
      if (found == null || found.value() == null) {
        continue;
      }
      if (most > 0 && count == most) {
        return response.with(3, 1);
      }
      count++;
      var _ = response.with(2, found.pair());
    }
    return response;
  }

  private static @Nullable Change at(List<Change> of, long revision) {
    Change found = null;
    for (Change each : of) {
      found = each.revision() <= revision ? each : found;
    }
    return found;
  }

  private NavigableMap<String, List<Change>> within(String from, String end) {
    return end.isEmpty()
        ? keys.subMap(from, true, from, true)
        : keys.subMap(from, true, end, false);
  }

  /// {@return whether the comparisons of a transaction hold}
  boolean holds(EtcdMessage transaction) throws IOException {
    for (EtcdMessage each : transaction.messages(1)) {
      Change last = last(each.text(3));
      long modified = last == null || last.value() == null ? 0 : last.revision();
      if (modified != each.number(6)) {
        return false;
      }
    }
    return true;
  }

  private @Nullable Change last(String key) {
    List<Change> all = keys.get(key);
    return all == null ? null : all.getLast();
  }

  /// Does what a transaction says whose comparisons hold.
  void apply(EtcdMessage transaction) throws IOException {
    var made = new ArrayList<Change>();
    for (EtcdMessage each : transaction.messages(2)) {
      if (each.has(2)) {
        EtcdMessage put = each.message(2);
        made.add(new Change(put.text(1), revision + 1, put.bytes(2)));
      } else {
        EtcdMessage range = each.message(3);
        for (Map.Entry<String, List<Change>> found :
            within(range.text(1), range.text(2)).entrySet()) {
          if (found.getValue().getLast().value() != null) {
            made.add(new Change(found.getKey(), revision + 1, null));
          }
        }
      }
    }
    if (made.isEmpty()) {
      return;
    }
    revision++;
    for (Change each : made) {
      changes.add(each);
      keys.computeIfAbsent(each.key(), key -> new ArrayList<>()).add(each);
    }
    if (changes.size() > 2 * MOST_CHANGES) {
      compact(changes.get(changes.size() - MOST_CHANGES).revision());
    }
  }

  /// Forgets what was so before a revision.
  void compact(long before) {
    compacted = before;
    changes.removeIf(each -> each.revision() < before);
    keys.values()
        .forEach(all -> {
          Change last = at(all, before);
          all.removeIf(each -> each.revision() < before && each != last);
        });
    keys.values().removeIf(all -> all.size() == 1 && isForgotten(all.getFirst()));
  }

  private boolean isForgotten(Change change) {
    return change.value() == null && change.revision() < compacted;
  }

  boolean isCompacted(long at) {
    return at < compacted;
  }

  /// {@return the events of keys after a revision}
  List<EtcdMessage> eventsAfter(long seen, String from, String end) {
    return changes.stream()
        .filter(each -> each.revision() > seen)
        .filter(each -> each.key().compareTo(from) >= 0 && each.key().compareTo(end) < 0)
        .map(Change::event)
        .toList();
  }
}
