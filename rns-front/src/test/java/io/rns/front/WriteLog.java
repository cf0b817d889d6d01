package io.rns.front;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The writes that a server has applied, in a file that survives it; as an RNS server, each request id once. */
final class WriteLog {
  private final FileChannel file;
  private final Set<String> ids = new HashSet<>();

  WriteLog(Path path) throws IOException {
    file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    for (String line : Files.readAllLines(path)) {
      ids.add(line.substring(0, line.indexOf(' ')));
    }
  }

  /** Applies a write, unless it was applied before; an empty id is that of none. Returns when it is on the disk. */
  synchronized void apply(String id, String write) throws IOException {
    if (id.isEmpty() || ids.add(id)) {
      ByteBuffer line = ByteBuffer.wrap((id + " " + write + "\n").getBytes(StandardCharsets.US_ASCII));
      while (line.hasRemaining()) {
        int unused = file.write(line);
      }
      file.force(false);
    }
  }

  /** All writes that were applied, each as often as it was. */
  static List<String> applied(Path path) throws IOException {
    return Files.readAllLines(path).stream().map(line -> line.substring(line.indexOf(' ') + 1)).toList();
  }
}
