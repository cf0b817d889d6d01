package io.rns.server.adversary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The heap of the running server, as the JDK's tool tells it. */
final class ServerHeap {
  private static final Pattern USED =
      Pattern.compile("(?m)^ (?:PSYoungGen|ParOldGen|garbage-first heap) .*used (\\d+)K");

  private ServerHeap() {}

  /** Mebibytes that are in use after a collection. */
  static long usedMebibytes(Path data) throws IOException, InterruptedException {
    long pid = pid(data);
    jcmd(pid, "GC.run");
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    long kibibytes = 0;
    while (used.find()) {
      kibibytes += Long.parseLong(used.group(1));
    }
    return kibibytes >> 10;
  }

  private static long pid(Path data) throws IOException {
    for (JsonNode process : new ObjectMapper().readTree(data.resolve("run.json").toFile()).path("processes")) {
      if (process.path("name").asText().equals("GlassFish")) {
        return process.path("pid").asLong();
      }
    }
    throw new IOException("no GlassFish runs in " + data);
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("jcmd", ".txt");
    try {
      Process process =
          new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(), Long.toString(pid),
              command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new IOException("jcmd " + pid + " " + command + ": " + Files.readString(out));
      }
      return Files.readString(out);
    } finally {
      Files.delete(out);
    }
  }
}
