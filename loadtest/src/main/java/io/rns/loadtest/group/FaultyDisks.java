package io.rns.loadtest.group;

import io.rns.loadtest.group.ServerGroup.Member;
import io.rns.loadtest.launcher.Io;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Locale;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The disks of a group's databases, which can stall, fill up, and lose what was not synced. A library that is preloaded
 * into their processes does that: {@code disk.c}, compiled by gcc.
 */
public record FaultyDisks(Path group) {
  private static final String SOURCE = "disk.c";
  private static final String LIBRARY = "disk.so";

  /** What is only appended to: of other files, a length does not say what was synced. */
  private static final Pattern APPENDED = Pattern.compile("(binlog|relay[a-z_-]*)\\.([0-9]{6}|index)");

  /** Something that is wrong with a member as long as it is switched on. */
  public enum State {
    /** Its processes do not start. */
    OFF,
    /** What its database syncs hangs. */
    STALL,
    /** No file of its database grows. */
    FULL
  }

  /** Compiles the library; returns the variables for the processes of the group. */
  Map<String, String> install() {
    return Io.get("faults of disks need a library that gcc compiles (on Debian: packages gcc and libc6-dev)", () -> {
      Files.writeString(group.resolve(SOURCE), Io.resource(FaultyDisks.class, SOURCE));
      Process gcc =
          new ProcessBuilder("gcc", "-shared", "-fPIC", "-O2", "-o", LIBRARY, SOURCE, "-ldl")
              .directory(group.toFile()).redirectErrorStream(true).start();
      String said = new String(gcc.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (gcc.onExit().join().exitValue() != 0) {
        throw new IOException(said);
      }
      Path real = group.toRealPath();
      return Map.of("LD_PRELOAD", real.resolve(LIBRARY).toString(), "RNS_DISK", real.toString());
    });
  }

  public void set(Member member, State state, boolean on) {
    Path file = file(member.name(), state.name().toLowerCase(Locale.ROOT));
    Io.run(file + " cannot be changed", () -> {
      if (on) {
        Files.writeString(file, "");
      } else {
        Files.deleteIfExists(file);
      }
    });
  }

  /** Takes from the logs of a database, which must not run, what was not synced; returns the number of bytes. */
  public long lose(Member member) {
    return lose(member.name());
  }

  long lose(String member) {
    Path data = group.resolve(member).resolve("database/data");
    Map<Long, Long> synced = synced(file(member, "synced"));
    return Io.get("the logs in " + data + " cannot be cut", () -> {
      long lost = 0;
      for (Path file : appended(data)) {
        long inode = ((Number) Files.getAttribute(file, "unix:ino")).longValue();
        try (FileChannel content = FileChannel.open(file, StandardOpenOption.WRITE)) {
          long length = content.size();
          FileChannel cut = content.truncate(Math.min(length, synced.getOrDefault(inode, Long.MAX_VALUE)));
          lost += length - cut.size();
        }
      }
      return lost;
    });
  }

  private static List<Path> appended(Path data) throws IOException {
    try (Stream<Path> files = Files.list(data)) {
      return files.filter(path -> APPENDED.matcher(path.getFileName().toString()).matches()).toList();
    }
  }

  /** The length of each file that survives a power failure, by inode. */
  private static Map<Long, Long> synced(Path file) {
    return Io.get(file + " cannot be read; was the library preloaded", () -> {
      LongBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder()).asLongBuffer();
      Map<Long, Long> lengths = new HashMap<>();
      while (pairs.remaining() >= 2) {
        lengths.put(pairs.get(), pairs.get());
      }
      return lengths;
    });
  }

  private Path file(String member, String suffix) {
    return group.resolve(member + "." + suffix);
  }
}
