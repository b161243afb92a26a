package dev.rondo.simulation.internal.net;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.channels.Selector;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The descriptors of a host's program.
public final class OpenFiles {

  /// A channel that keeps its descriptor after its `close`, until no selector has it any more.
  public interface Held extends Channel {

    /// Gives the descriptor back. Does nothing if that was done.
    void kill();
  }

  private final Set<Closeable> owners = new LinkedHashSet<>();
  private int max = Integer.MAX_VALUE;
  private int count;

  OpenFiles() {}

  /// Limits how many may be open.
  ///
  /// @param most at least zero
  public void max(int most) {
    max = most;
  }

  /// {@return how many are open}
  public int count() {
    return count;
  }

  /// Opens descriptors.
  ///
  /// @param owner closes them
  /// @param wanted how many
  /// @return whether there were so many left
  public boolean open(Closeable owner, int wanted) {
    if (wanted > max - count) {
      return false;
    }
    count += wanted;
    owners.add(owner);
    return true;
  }

  /// Closes descriptors.
  ///
  /// @param owner given to [#open]
  /// @param wanted how many
  public void close(Closeable owner, int wanted) {
    count -= wanted;
    owners.remove(owner);
  }

  /// Closes all, as the kernel does for a process that ends. Selectors are first, so that no
  /// channel waits for one to release it.
  void closeAll() {
    List<Closeable> all = List.copyOf(owners);
    all.stream().filter(Selector.class::isInstance).forEach(OpenFiles::close);
    all.forEach(OpenFiles::close);
  }

  private static void close(Closeable owner) {
    try {
      owner.close();
      if (owner instanceof Held channel) {
        channel.kill(); // a selector that is the program's own, and not this host's, may have it
      }
    } catch (IOException e) {
      throw new AssertionError("a simulated channel closes without a failure", e);
    }
  }
}
