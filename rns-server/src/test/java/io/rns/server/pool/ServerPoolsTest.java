package io.rns.server.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.association.AsapAccess;
import io.rns.association.Multicast;
import io.rns.client.http.TlsTrust;
import io.rns.client.pool.AnnouncedRegistrar;
import io.rns.network.MulticastGroup;
import io.rns.server.Eventually;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ServerPoolsTest {
  private static final Duration BOUND = Duration.ofSeconds(50);

  @Test
  void aServerIsFoundByMulticast() throws Exception {
    MulticastGroup group = MulticastGroup.parse("239.255.80." + new SplittableRandom().nextInt(1, 255) + "%lo");
    int port;
    try (DatagramSocket free = new DatagramSocket()) {
      port = free.getLocalPort();
    }
    URI service = URI.create("http://rns1.example.org:8080/rns");
    PoolSettings settings =
        new PoolSettings(
            Optional.of(InetAddress.getLoopbackAddress()), 0, 0, List.of(),
            Optional.of(new Multicast(group, port, port, service.toString())), Duration.ofSeconds(5),
            Optional.empty());
    try (ServerPools pools = ServerPools.start(settings, TlsTrust.SYSTEM, false, AsapAccess.OPEN)) {
      AnnouncedRegistrar found =
          Eventually.get("it is found", BOUND,
              () -> AnnouncedRegistrar.listen(group, port, Duration.ofMillis(300)).stream().findFirst());
      assertThat(found.service()).contains(service);
      assertThat(pools.told()).containsEntry("id", Integer.toUnsignedLong(found.id()))
          .containsEntry("asap", "127.0.0.1:" + found.asap().getPort());
    }
  }
}
