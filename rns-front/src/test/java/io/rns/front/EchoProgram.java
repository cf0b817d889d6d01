package io.rns.front;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * An {@link EchoServer} as a process, which ticks. Arguments are host and port, and the file of a {@link WriteLog}. Of
 * its input, {@code open NAME} lets those go on who wait for a gate; any other line has it print how many requests it
 * handled.
 */
final class EchoProgram {
  private static final long TICK_MILLIS = 20;
  private static final String OPEN = "open ";

  private EchoProgram() {}

  public static void main(String[] arguments) throws IOException {
    try (
        EchoServer server = new EchoServer(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
        ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      server.remembers = false;
      var unused = ticks.scheduleAtFixedRate(server::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (arguments.length > 2) {
        server.writeTo(new WriteLog(Path.of(arguments[2])));
      }
      System.out.println("echo ready at port " + server.port());
      String line = in.readLine();
      while (line != null) {
        if (line.startsWith(OPEN)) {
          server.gate(line.substring(OPEN.length())).countDown();
        } else {
          System.out.println("handled " + server.handled.sum());
        }
        line = in.readLine();
      }
      ticks.shutdownNow();
    }
  }
}
