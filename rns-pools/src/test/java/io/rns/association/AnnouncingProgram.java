package io.rns.association;

import io.rns.network.MulticastGroup;
import io.rns.registrar.LocalCaller;
import io.rns.registrar.RegistrarSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/** A registrar that knows no other, in a process of its own; prints how many it knows until its input ends. */
final class AnnouncingProgram {
  private AnnouncingProgram() {}

  /**
   * Runs it.
   *
   * @param arguments its address, and the multicast group with its interface
   */
  public static void main(String[] arguments) throws Exception {
    try (RegistrarServer server = RegistrarServer.bind(InetAddress.getByName(arguments[0]), 0, 0)) {
      server.start(
          List.of(), RegistrarSettings.DEFAULTS, new SplittableRandom(ProcessHandle.current().pid()),
          () -> System.nanoTime() / 1_000_000, RegistrarProtection.NONE,
          Optional.of(new Multicast(MulticastGroup.parse(arguments[1]), "")));
      Thread input = Thread.ofPlatform().daemon().start(AnnouncingProgram::readInput);
      int known = 0;
      while (input.isAlive()) {
        int now = server.ask(registrar -> registrar.isServing())
            ? server.call(LocalCaller::figures, 60_000).registrars()
            : 0;
        if (now != known) {
          System.out.println("registrars " + now);
          known = now;
        }
        LockSupport.parkNanos(20_000_000);
      }
    }
  }

  private static void readInput() {
    try {
      byte[] unused = System.in.readAllBytes();
    } catch (IOException e) {
      // It has ended.
    }
  }
}
