package dev.rondo.observe.internal;

import dev.rondo.scheduler.addon.TaskInfo;
import dev.rondo.scheduler.addon.TaskMetrics;
import dev.rondo.scheduler.internal.rooms.AddOnInfo;
import java.io.IOException;
import java.util.List;

/// Writes [dev.rondo.observe.DumpFormat#JSON].
final class JsonDump implements DumpWriter {

  private final JsonWriter json;

  JsonDump(Appendable out) {
    this.json = new JsonWriter(out);
  }

  @Override
  public void begin(TaskDump.Head head) throws IOException {
    json.beginObject();
    json.name("scheduler").beginObject();
    json.name("thread").value(head.thread());
    json.name("backend").value(head.backend());
    json.name("closed").value(head.isClosed());
    json.name("alive").value(head.alive());
    json.name("ready").value(head.ready());
    json.endObject();
    if (!head.addOns().isEmpty()) {
      addOns(head.addOns());
    }
    json.name("tasks").beginArray();
  }

  private void addOns(List<AddOnInfo> addOns) throws IOException {
    json.name("addOns").beginArray();
    for (AddOnInfo addOn : addOns) {
      json.beginObject();
      json.name("name").value(addOn.name());
      json.name("figures").beginObject();
      for (AddOnInfo.Figure figure : addOn.figures()) {
        json.name(figure.name()).value(figure.value());
      }
      json.endObject();
      json.name("lines").beginArray();
      for (String line : addOn.lines()) {
        json.value(line);
      }
      json.endArray();
      json.endObject();
    }
    json.endArray();
  }

  @Override
  public void task(TaskInfo task) throws IOException {
    json.beginObject();
    json.name("id").value(task.id());
    json.name("name").value(task.name());
    json.name("state").value(task.state().name());
    json.name("daemon").value(task.isDaemon());
    if (task.waitingFor() != null) {
      json.name("waitingFor").value(task.waitingFor());
    }
    if (task.holder() != null) {
      json.name("holder").value(task.holder());
    }
    json.name("sinceNanos").value(task.since().toNanos());
    if (task.sinceLastWake() != null) {
      json.name("sinceLastWakeNanos").value(task.sinceLastWake().toNanos());
    }
    if (task.parentId().isPresent()) {
      json.name("parentId").value(task.parentId().getAsLong());
    }
    if (task.metrics() != null) {
      metrics(task.metrics());
    }
    stack(task.stack());
    json.endObject();
  }

  private void metrics(TaskMetrics metrics) throws IOException {
    json.name("metrics").beginObject();
    json.name("turns").value(metrics.turns());
    json.name("runNanos").value(metrics.runTime().toNanos());
    json.name("longestTurnNanos").value(metrics.longestTurn().toNanos());
    if (metrics.allocatedBytes().isPresent()) {
      json.name("allocatedBytes").value(metrics.allocatedBytes().getAsLong());
    }
    json.endObject();
  }

  private void stack(List<StackTraceElement> stack) throws IOException {
    json.name("stack").beginArray();
    for (StackTraceElement frame : stack) {
      json.value(frame.toString());
    }
    json.endArray();
  }

  @Override
  public void end() throws IOException {
    json.endArray();
    json.endObject();
  }

  @Override
  public void noAnswer(LoopSnapshot seen) throws IOException {
    json.endArray();
    json.name("noAnswer").beginObject();
    json.name("threadHasEnded").value(seen.threadHasEnded());
    json.name("isDriven").value(seen.isDriven());
    json.name("sinceLastPassNanos").value(seen.sinceLastPass().toNanos());
    if (seen.task() != null) {
      json.name("task").value(seen.task());
    }
    if (seen.action() != null) {
      json.name("action").value(seen.action());
    }
    stack(seen.stack());
    json.endObject();
    json.endObject();
  }
}
