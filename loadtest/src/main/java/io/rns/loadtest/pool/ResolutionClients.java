package io.rns.loadtest.pool;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.loadtest.measure.LoadClient;
import io.rns.rserpool.AsapMessage;
import io.rns.rserpool.Octets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes clients that resolve a pool again and again, each on a connection or socket of its own. */
public final class ResolutionClients {
  private ResolutionClients() {}

  /**
   * By ASAP over TCP.
   *
   * @param registrar where it is heard
   * @param handle of the pool
   * @param count how many clients
   */
  public static List<LoadClient> asap(InetSocketAddress registrar, String handle, int count) {
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new AsapUser(registrar, Octets.utf8(handle)));
    }
    return clients;
  }

  /**
   * By DNS over UDP: SRV.
   *
   * @param server where it is heard
   * @param name of the pool's records, without a dot at the end
   * @param count how many clients
   */
  public static List<LoadClient> dns(InetSocketAddress server, String name, int count) {
    List<LoadClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      clients.add(new DnsUser(server, name));
    }
    return clients;
  }

  /**
   * What the registrar answers, padding included.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not
   */
  public static Octets asapAnswer(InetSocketAddress registrar, String handle) {
    try (AsapConnection connection = new AsapConnection(registrar)) {
      connection.send(new AsapMessage.HandleResolution(false, Octets.utf8(handle)));
      byte[] answer = connection.receiveBytes();
      return Octets.of(Arrays.copyOf(answer, answer.length + (-answer.length & 3)));
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "ASAP at " + registrar + ": " + e.getMessage(), e);
    }
  }

  /**
   * What the server of names answers.
   *
   * @throws RnsException {@link RnsError#UNAVAILABLE} if it does not
   */
  public static Octets dnsAnswer(InetSocketAddress server, String name) {
    try (DnsUser user = new DnsUser(server, name)) {
      return user.ask();
    } catch (IOException e) {
      throw new RnsException(RnsError.UNAVAILABLE, "DNS at " + server + ": " + e.getMessage(), e);
    }
  }
}
