package dev.rondo.scheduler;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The add-ons of a scheduler, one of each class.
final class AddOns {

  private final Loop loop;
  private final TaskFactory taskFactory;
  private final Map<Class<?>, AddOn> installed = new LinkedHashMap<>();

  AddOns(Loop loop, TaskFactory taskFactory) {
    this.loop = loop;
    this.taskFactory = taskFactory;
  }

  /// Registers an add-on and gives it its task, suspended.
  StepTask<Void> install(AddOn addOn) {
    taskFactory.requireOpen();
    AddOn earlier = installed.putIfAbsent(addOn.getClass(), addOn);
    if (earlier != null) {
      throw new IllegalStateException(
          "this scheduler has a " + addOn.getClass().getSimpleName() + " already; use addOn(..)");
    }
    var task = new StepTask<Void>(loop, addOn.getClass().getSimpleName(), addOn::turn);
    task.addOn = true;
    task.dropContext();
    task.daemon();
    task.trap((self, outcome) -> {
      addOn.close();
      return outcome;
    });
    task.beginParked();
    return loop.made(task);
  }

  /// The one of that class, or else the first of that interface.
  <A> @Nullable A find(Class<A> type) {
    Object exact = installed.get(type);
    if (exact == null) {
      exact = installed.values().stream().filter(type::isInstance).findFirst().orElse(null);
    }
    return type.cast(exact);
  }
}
