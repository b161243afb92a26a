package dev.rondo.scheduler.addon;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The open sockets, listeners and pipes of a scheduler's add-ons, for observers: each add-on lists
/// its channels here while they are open. See [AddOnHost#openChannels()].
///
/// Confined to the scheduler's thread.
public interface OpenChannels {

  /// Stands for no place.
  int NONE = -1;

  /// Lists a channel that was opened.
  ///
  /// @param channel describes the channel when an observer asks; null if it is closed already. Must
  ///   be quick, and must not suspend
  /// @return the place of the channel, for [#remove]
  int add(Supplier<? extends @Nullable OpenChannel> channel);

  /// Removes a channel that was closed.
  ///
  /// @param place returned by [#add], and not removed before
  /// @throws IllegalArgumentException if no channel has the place; nothing changes
  void remove(int place);
}
