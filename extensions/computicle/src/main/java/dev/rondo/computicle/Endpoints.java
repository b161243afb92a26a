package dev.rondo.computicle;

import static java.util.Objects.requireNonNull;

import dev.rondo.scheduler.ReceiveChannel;
import dev.rondo.scheduler.SendChannel;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/// Endpoints by name, for all schedulers of the process. The first request for a name makes its
/// endpoint. The close of the endpoint frees the name.
///
/// Any thread.
public final class Endpoints {

  private static final Endpoints GLOBAL = new Endpoints();

  /// The endpoint of a name.
  private record Entry(Class<?> type, Endpoint<?> endpoint) {}

  private final ConcurrentHashMap<String, Entry> entries = new ConcurrentHashMap<>();

  /// Makes an empty registry.
  public Endpoints() {}

  /// {@return the common registry of the process} The library itself puts no endpoint into it.
  public static Endpoints global() {
    return GLOBAL;
  }

  /// {@return the receiving side of the endpoint of that name, a rendezvous if it is new}
  ///
  /// @param <T> the messages
  /// @param name any
  /// @param type of the messages
  /// @throws IllegalArgumentException if the endpoint has messages of another type
  public <T> ReceiveChannel<T> in(String name, Class<T> type) {
    return any(name, type);
  }

  /// {@return the sending side of the endpoint of that name, a rendezvous if it is new}
  ///
  /// @param <T> the messages
  /// @param name any
  /// @param type of the messages
  /// @throws IllegalArgumentException if the endpoint has messages of another type
  public <T> SendChannel<T> out(String name, Class<T> type) {
    return any(name, type);
  }

  /// {@return both sides of the endpoint of that name, a rendezvous if it is new}
  ///
  /// @param <T> the messages
  /// @param name any
  /// @param type of the messages
  /// @throws IllegalArgumentException if the endpoint has messages of another type
  public <T> Endpoint<T> any(String name, Class<T> type) {
    return find(name, type, 0);
  }

  /// {@return both sides of the endpoint of that name, which has a buffer of that size}
  ///
  /// @param <T> the messages
  /// @param name any
  /// @param type of the messages
  /// @param capacity of the buffer, at least 0; 0 is a rendezvous
  /// @throws IllegalArgumentException if the capacity is below 0, or if the endpoint exists with
  ///   another type or another capacity
  public <T> Endpoint<T> any(String name, Class<T> type, int capacity) {
    Endpoint<T> found = find(name, type, capacity);
    if (found.capacity() != capacity) {
      throw new IllegalArgumentException(
          found + " has capacity=" + found.capacity() + " already, and not " + capacity);
    }
    return found;
  }

  @SuppressWarnings("unchecked") // the entry has the type
  private <T> Endpoint<T> find(String name, Class<T> type, int capacity) {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
    Entry entry =
        entries.compute(
            name,
            (key, known) ->
                known == null || known.endpoint.isClosedForSend()
                    ? make(name, type, capacity)
                    : known);
    if (entry.type != type) {
      throw new IllegalArgumentException(
          entry.endpoint
              + " has messages of type "
              + entry.type.getName()
              + ", and not "
              + type.getName());
    }
    return (Endpoint<T>) entry.endpoint;
  }

  private <T> Entry make(String name, Class<T> type, int capacity) {
    var endpoint =
        new Endpoint<T>(name, capacity, SharingCheck.isOnByDefault(), () -> forgetIfClosed(name));
    return new Entry(type, endpoint);
  }

  private void forgetIfClosed(String name) {
    entries.computeIfPresent(name, (key, known) -> known.endpoint.isClosedForSend() ? null : known);
  }

  /// The names of the open endpoints at this moment.
  SortedSet<String> names() {
    return new TreeSet<>(entries.keySet());
  }
}
