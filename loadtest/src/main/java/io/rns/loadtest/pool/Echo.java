package io.rns.loadtest.pool;

import io.rns.rserpool.Octets;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** A process that gives the answers of a service to everybody who asks, by TCP and UDP, without thinking. */
public final class Echo implements AutoCloseable {
  private final Child child;
  private final List<Integer> ports;

  private Echo(Child child) {
    this.child = child;
    this.ports = Arrays.stream(child.hear().split(" ", -1)).map(Integer::valueOf).toList();
  }

  /**
   * Starts one.
   *
   * @param byTcp the answer by TCP, if anybody will ask
   * @param byUdp the answer by UDP, if anybody will ask; two bytes and more
   */
  public static Echo start(Optional<Octets> byTcp, Optional<Octets> byUdp) {
    Child child = Child.start(EchoMain.class, List.of(digits(byTcp), digits(byUdp)));
    try {
      return new Echo(child);
    } catch (RuntimeException e) {
      child.close();
      throw e;
    }
  }

  private static String digits(Optional<Octets> answer) {
    return HexFormat.of().formatHex(answer.map(Octets::toBytes).orElse(new byte[2]));
  }

  /** Where it answers by TCP. */
  public InetSocketAddress tcp() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(0));
  }

  /** Where it answers by UDP. */
  public InetSocketAddress udp() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(1));
  }

  @Override
  public void close() {
    child.close();
  }
}
