package io.rns.loadtest.pool;

import io.rns.association.RegistrarServer;
import io.rns.handlespace.Handlespace;
import io.rns.registrar.Registrar;
import io.rns.registrar.RegistrarSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A registrar of production in a process of its own. It says where it listens, and answers each line with what it
 * knows: {@code serving} or {@code starting}, how many elements, and the checksums of all registrars' elements.
 */
final class RegistrarMain {
  private RegistrarMain() {}

  /**
   * Runs until its input ends.
   *
   * @param arguments ports of other registrars on this machine
   */
  public static void main(String[] arguments) throws IOException {
    InetAddress here = InetAddress.getLoopbackAddress();
    List<InetSocketAddress> others =
        Arrays.stream(arguments).map(port -> new InetSocketAddress(here, Integer.parseInt(port))).toList();
    try (RegistrarServer server = RegistrarServer.bind(here, 0, 0);
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      server.start(others, RegistrarSettings.DEFAULTS, new SplittableRandom(), () -> System.nanoTime() / 1_000_000);
      System.out.println(server.elementsAddress().getPort() + " " + server.peersAddress().getPort());
      for (String line = questions.readLine(); line != null; line = questions.readLine()) {
        System.out.println(server.ask(RegistrarMain::state));
      }
    }
  }

  private static String state(Registrar registrar) {
    Handlespace known = registrar.handlespace();
    TreeMap<Integer, Long> sums = new TreeMap<>();
    known.synchronisation().homes().forEach(home -> sums.put(home, known.synchronisation().checksum(home).versions()));
    return (registrar.isServing() ? "serving " : "starting ") + known.size() + " " + sums;
  }
}
