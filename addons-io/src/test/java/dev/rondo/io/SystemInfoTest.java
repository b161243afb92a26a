package dev.rondo.io;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.rondo.io.system.SystemInfo;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// The state of the machine.
class SystemInfoTest {

  @Test
  void now_isPlausible() throws Exception {
    SystemInfo info = SystemInfo.now();
    assertFalse(info.host().isBlank());
    assertEquals(Runtime.getRuntime().availableProcessors(), info.cpus());
    assertEquals(System.getProperty("os.arch"), info.architecture());
    assertTrue(info.operatingSystem().startsWith(System.getProperty("os.name")));
    assertTrue(info.heapBytes() > 0 && info.heapBytes() <= info.largestHeapBytes());
    var loopback = info.interfaces().stream().filter(SystemInfo.Interface::isLoopback).findFirst();
    assertTrue(loopback.orElseThrow().isUp());
    assertTrue(
        loopback.orElseThrow().addresses().stream().allMatch(InetAddress::isLoopbackAddress));
    assertThrows(UnsupportedOperationException.class, () -> info.interfaces().clear());
    if (Files.exists(Path.of("/proc/meminfo"))) {
      long memory = info.memoryBytes().orElseThrow();
      assertTrue(memory > 1 << 20, () -> "memory=" + memory);
      assertTrue(info.availableBytes().orElseThrow() <= memory);
      assertTrue(info.load().orElseThrow() >= 0);
    }
  }
}
