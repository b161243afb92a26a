package dev.rondo.observe.internal;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.internal.ReportText;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import java.io.IOException;

/// Writes [dev.rondo.observe.DumpFormat#TEXT].
final class TextDump implements DumpWriter {

  private final Appendable out;

  TextDump(Appendable out) {
    this.out = out;
  }

  @Override
  public void begin(TaskDump.Head head) throws IOException {
    out.append(
        "scheduler of thread '%s' on %s"
            .formatted(ReportText.escaped(head.thread()), head.backend()));
    out.append(
        head.isClosed()
            ? ": closed\n"
            : ": %d tasks alive, %d ready\n".formatted(head.alive(), head.ready()));
    for (AddOnInfo addOn : head.addOns()) {
      out.append(addOn.toString()).append('\n');
    }
  }

  @Override
  public void task(TaskInfo task) throws IOException {
    out.append(task.toString()).append('\n');
  }

  @Override
  public void end() {}

  @Override
  public void noAnswer(LoopSnapshot seen) throws IOException {
    out.append(seen.report());
  }
}
