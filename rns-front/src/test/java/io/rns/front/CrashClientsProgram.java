package io.rns.front;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

/**
 * {@link CrashClients} as a process. Arguments are host and port of the front and of the server, and the file of what
 * the server has applied. They begin with the first line of input, and finish with the second.
 */
final class CrashClientsProgram {
  private static final long SEED = 1;
  /** A front that is lost with its address answers nothing, not even that a connection is none. */
  private static final int SILENCE_MILLIS = 5_000;

  private CrashClientsProgram() {}

  public static void main(String[] arguments) throws Exception {
    KnownAnswers answers;
    try (HttpPeer alone = new HttpPeer(new Socket(arguments[2], Integer.parseInt(arguments[3])))) {
      answers = KnownAnswers.of(alone, new Random(SEED));
    }
    System.out.println("clients ready");
    InetSocketAddress front = new InetSocketAddress(arguments[0], Integer.parseInt(arguments[1]));
    try (CrashClients clients = new CrashClients(front, answers, Path.of(arguments[4]), SILENCE_MILLIS, false);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      String line = in.readLine();
      clients.begin(SEED);
      System.out.println("done " + line);
      line = in.readLine();
      clients.finish();
      clients.failures.forEach(failure -> System.out.println("failure: " + failure));
      System.out.println("written " + clients.written());
      System.out.println("done " + line);
    }
    System.exit(0);
  }
}
