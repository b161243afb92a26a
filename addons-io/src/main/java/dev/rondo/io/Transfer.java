package dev.rondo.io;

import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/// What sends bytes to a socket in another way than from a buffer, see [StreamSocket#send].
@FunctionalInterface
public interface Transfer {

  /// There is nothing left to send.
  long END = -1;

  /// Sends as much as the system takes at once. May suspend the task.
  ///
  /// @param system the socket's own channel, non-blocking, to be written to and nothing else
  /// @param sent how many bytes this transfer has sent already
  /// @return how many more it has sent now; 0 if the system's buffer is full; [#END]
  /// @throws IOException ends the transfer
  long next(WritableByteChannel system, long sent) throws IOException;
}
