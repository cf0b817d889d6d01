package io.rns.front;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** An {@link EchoServer} as a process, which ticks. A line of its input has it print how many requests it handled. */
final class EchoProgram {
  private static final long TICK_MILLIS = 20;

  private EchoProgram() {}

  public static void main(String[] arguments) throws IOException {
    try (
        EchoServer server = new EchoServer(new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1])));
        ScheduledExecutorService ticks = Executors.newSingleThreadScheduledExecutor();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      server.remembers = false;
      var unused = ticks.scheduleAtFixedRate(server::tick, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
      System.out.println("echo ready");
      while (in.readLine() != null) {
        System.out.println("handled " + server.handled.sum());
      }
      ticks.shutdownNow();
    }
  }
}
