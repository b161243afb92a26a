package dev.rondo.io;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/// Sends bytes that are in no buffer of this process, such as those of a file, to a socket: see
/// [StreamSocket#send]. For authors of add-ons.
@FunctionalInterface
public interface Transfer {

  /// Nothing is left to send.
  long END = -1;

  /// Sends as much as the system takes at once. May suspend the task.
  ///
  /// @param system the socket's own channel, non-blocking, only to be written to
  /// @param sent how many bytes this transfer has sent already
  /// @return how many more it has sent now; 0 if the system's buffer is full; [#END] if nothing is
  ///   left
  /// @throws IOException ends the transfer
  long next(WritableByteChannel system, long sent) throws IOException;
}
