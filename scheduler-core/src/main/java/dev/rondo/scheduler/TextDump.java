package dev.rondo.scheduler;

import java.io.IOException;
import java.util.Iterator;

/// [DumpFormat#TEXT].
final class TextDump implements DumpWriter {

  private final Appendable out;

  TextDump(Appendable out) {
    this.out = out;
  }

  @Override
  public void begin(TaskDump.Head head) throws IOException {
    out.append("scheduler of thread '%s' on %s".formatted(head.thread(), head.backend()));
    out.append(
        head.closed()
            ? ": closed\n"
            : ": %d tasks alive, %d ready\n".formatted(head.alive(), head.ready()));
  }

  @Override
  public void task(TaskInfo task) throws IOException {
    out.append(task.describe()).append('\n');
  }

  @Override
  public void end() {}

  @Override
  public void noAnswer(LoopSnapshot seen) throws IOException {
    out.append(seen.describe()).append('\n');
    Iterator<StackTraceElement> frames = Stacks.held(seen.stack()).iterator();
    while (frames.hasNext()) {
      out.append("    at ").append(frames.next().toString()).append('\n');
    }
  }
}
