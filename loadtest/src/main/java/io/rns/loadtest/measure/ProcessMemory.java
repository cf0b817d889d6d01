package io.rns.loadtest.measure;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.launcher.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Tells how much memory a process of a JVM takes, in KiB. */
public record ProcessMemory(long pid) {
  private static final int KIB = 1_024;

  /** What it has of the machine's memory. */
  public double residentKib() {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    return last(Io.get(status + " cannot be read", () -> Files.readAllLines(status)).stream(), "VmRSS:", 1);
  }

  /** What is in use of its heap, after a collection of garbage. */
  public double liveHeapKib() {
    Path java = Path.of(ProcessHandle.of(pid).flatMap(process -> process.info().command())
        .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "process " + pid + " does not run")));
    return last(Io.get("jcmd cannot be run", () -> histogram(java.resolveSibling("jcmd"))), "Total ", 2) / KIB;
  }

  /** By a file: a process that is asked for its own stands still, and would not read. */
  private Stream<String> histogram(Path jcmd) throws IOException {
    Path file = Files.createTempFile("rns-heap", ".txt");
    try {
      Process process = new ProcessBuilder(jcmd.toString(), Long.toString(pid), "GC.class_histogram")
          .redirectErrorStream(true).redirectOutput(file.toFile()).start().onExit().join();
      List<String> printed = Files.readAllLines(file);
      if (process.exitValue() != 0) {
        throw new IOException(String.join("; ", printed));
      }
      return printed.stream();
    } finally {
      Files.delete(file);
    }
  }

  /** The number in a column of the line that begins so. */
  private double last(Stream<String> lines, String begin, int column) {
    return lines.filter(line -> line.startsWith(begin)).map(line -> line.strip().split("\\s+", -1)[column])
        .mapToDouble(Double::parseDouble).reduce((one, other) -> other)
        .orElseThrow(() -> new RnsException(RnsError.UNAVAILABLE, "the memory of process " + pid + " is not known"));
  }
}
