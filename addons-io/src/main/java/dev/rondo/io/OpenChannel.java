package dev.rondo.io;

import static java.util.Objects.requireNonNull;

import java.util.List;

/// An open socket, listener or pipe, as an onlooker sees it at one moment: see
/// [WaitForIO#openChannels(int)].
///
/// @param name as in the messages of exceptions
/// @param waits which tasks wait for it and for what, for people: at most one inward, one outward
public record OpenChannel(String name, List<String> waits) {

  /// Copies the list.
  public OpenChannel {
    requireNonNull(name, "name is null");
    waits = List.copyOf(requireNonNull(waits, "waits is null"));
  }
}
