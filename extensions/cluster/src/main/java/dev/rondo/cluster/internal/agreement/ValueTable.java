package dev.rondo.cluster.internal.agreement;

import static java.util.Objects.requireNonNull;

import dev.rondo.cluster.internal.engine.Saved;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The counters and registers of the cluster, as each node has them.
///
/// Confined to the thread that applies the commands.
public final class ValueTable {

  /// Those that are not zero.
  private final Map<String, Long> counters = new TreeMap<>();

  /// Those that are not empty.
  private final Map<String, byte[]> registers = new TreeMap<>();

  Result add(Command command) {
    return Result.done(set(command.name(), counter(command.name()) + command.first()));
  }

  Result swap(Command command) {
    if (counter(command.name()) != command.first()) {
      return Result.REFUSED;
    }
    return Result.done(set(command.name(), command.second()));
  }

  private long counter(String name) {
    return counters.getOrDefault(name, 0L);
  }

  private long set(String name, long value) {
    if (value == 0) {
      var _ = counters.remove(name);
    } else {
      counters.put(name, value);
    }
    return value;
  }

  Result read(Command command) {
    return new Result(Result.Status.DONE, 0, registers.get(command.name()));
  }

  Result write(Command command) {
    set(command.name(), command.value());
    return Result.DONE;
  }

  Result compare(Command command) {
    if (!Arrays.equals(registers.get(command.name()), command.expected())) {
      return Result.REFUSED;
    }
    set(command.name(), command.value());
    return Result.DONE;
  }

  private void set(String name, byte @Nullable [] value) {
    if (value == null) {
      var _ = registers.remove(name);
    } else {
      registers.put(name, value);
    }
  }

  void write(DataOutput out) throws IOException {
    out.writeInt(counters.size());
    for (Map.Entry<String, Long> each : counters.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeLong(each.getValue());
    }
    out.writeInt(registers.size());
    for (Map.Entry<String, byte[]> each : registers.entrySet()) {
      out.writeUTF(each.getKey());
      Saved.write(out, each.getValue());
    }
  }

  void read(DataInput in) throws IOException {
    counters.clear();
    registers.clear();
    for (int left = in.readInt(); left > 0; left--) {
      counters.put(in.readUTF(), in.readLong());
    }
    for (int left = in.readInt(); left > 0; left--) {
      registers.put(in.readUTF(), requireNonNull(Saved.read(in)));
    }
  }
}
