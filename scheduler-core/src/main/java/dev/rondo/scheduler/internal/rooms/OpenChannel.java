package dev.rondo.scheduler.internal.rooms;

import static java.util.Objects.requireNonNull;

import java.util.List;

/// An open socket, listener or pipe of an add-on, as an observer sees it at one moment, see
/// [ChannelList].
///
/// @param name for people
/// @param waits which tasks wait for it and for what, for people
public record OpenChannel(String name, List<String> waits) {

  /// Copies the list.
  public OpenChannel {
    requireNonNull(name, "name is null");
    waits = List.copyOf(requireNonNull(waits, "waits is null"));
  }
}
