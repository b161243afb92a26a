package dev.rondo.cluster.internal.jgroups;

import dev.rondo.cluster.members.ClusterException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import org.jgroups.Global;
import org.jgroups.util.ObjectInputStreamWithClassloader;

/// Keeps Java serialization out: JGroups reads its streams if it meets them in a message, and has a
/// filter for them, which is read once, when its class is loaded.
public final class JavaSerialization {

  private static final byte[] HEADER = {(byte) 0xAC, (byte) 0xED, 0, 5};

  private static final String NOTHING = "!*";

  private JavaSerialization() {}

  private static final class Probe implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
  }

  /// Has JGroups refuse each class in a stream of Java serialization, in the whole JVM.
  ///
  /// @throws ClusterException if it reads them, because it was used before without a filter
  public static synchronized void refuse() throws ClusterException {
    if (System.getProperty(Global.DESERIALIZATION_FILTER) == null) {
      System.setProperty(Global.DESERIALIZATION_FILTER, NOTHING);
    }
    try (var in = new ObjectInputStreamWithClassloader(new ByteArrayInputStream(probe()))) {
      Object read = in.readObject();
      throw new ClusterException(
          "JGroups reads Java serialization in this JVM ("
              + read.getClass().getSimpleName()
              + "): start it with -D"
              + Global.DESERIALIZATION_FILTER
              + "="
              + NOTHING,
          null);
    } catch (InvalidClassException e) {
      // It is refused, as it has to be.
    } catch (ClusterException e) {
      throw e;
    } catch (IOException | ClassNotFoundException e) {
      throw new ClusterException("it is not known whether JGroups reads Java serialization", e);
    }
  }

  private static byte[] probe() throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(new Probe());
    }
    return bytes.toByteArray();
  }

  /// Whether bytes begin as a stream of it does.
  public static boolean isIn(byte[] bytes) {
    if (bytes.length < HEADER.length) {
      return false;
    }
    for (int i = 0; i < HEADER.length; i++) {
      if (bytes[i] != HEADER[i]) {
        return false;
      }
    }
    return true;
  }
}
