package io.rns.registrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rns.api.EndpointReference;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.handlespace.RegisteredElement;
import io.rns.handlespace.TableEntry;
import io.rns.pool.Occupancy;
import io.rns.pool.Parameters;
import io.rns.pool.PolicyType;
import io.rns.pool.Registration;
import io.rns.rserpool.IpAddress;
import io.rns.rserpool.Octets;
import io.rns.rserpool.SelectionPolicy;
import io.rns.rserpool.Transport;
import io.rns.rserpool.TransportUse;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Elements survive a round trip through the wire format. */
class DescriptionsTest {
  private static final IpAddress V4 = new IpAddress(Octets.of((byte) 10, (byte) 0, (byte) 0, (byte) 255));
  private static final IpAddress V6 =
      new IpAddress(Octets.of(HexFormat.of().parseHex("20010db8000000000000000000000001")));

  private static EndpointReference at(String address) {
    return EndpointReference.ofAddress(address);
  }

  @Test
  void everyPolicyCarriesItsParameters() {
    Parameters parameters = new Parameters(1, 2, 3, 4, 0xffff_ffffL, Occupancy.UNKNOWN);
    assertThat(PolicyData.policy(PolicyType.LEAST_USED_DEGRADATION, parameters))
        .isEqualTo(new SelectionPolicy(0x4000_0002, Octets.of(HexFormat.of().parseHex("0000000300000004"))));
    assertThat(PolicyData.policy(PolicyType.WEIGHTED_RANDOM_DISTANCE, parameters).data())
        .isEqualTo(Octets.of(HexFormat.of().parseHex("00000001ffffffff00000000")));
    assertThat(PolicyData.policy(PolicyType.ROUND_ROBIN, parameters).data()).isEqualTo(Octets.NONE);
    for (PolicyType type : PolicyType.values()) {
      SelectionPolicy policy = PolicyData.policy(type, parameters);
      assertThat(PolicyData.type(policy)).isEqualTo(type);
      assertThat(PolicyData.policy(type, PolicyData.parameters(policy))).isEqualTo(policy);
      byte[] longer = new byte[policy.data().length() + 4];
      assertThatExceptionOfType(RnsException.class)
          .isThrownBy(() -> PolicyData.parameters(new SelectionPolicy(type.code(), Octets.of(longer))))
          .withMessageContaining(type.toString());
    }
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> PolicyData.type(new SelectionPolicy(0x77, Octets.NONE)))
        .withMessageContaining("0x77");
  }

  @Test
  void plainTransportsHaveReadableAddresses() {
    assertThat(Endpoints.references(new Transport.Tcp(80, TransportUse.DATA_ONLY, V4)))
        .containsExactly(at("tcp://10.0.0.255:80"));
    assertThat(Endpoints.references(new Transport.Tcp(80, TransportUse.DATA_AND_CONTROL, V6)))
        .containsExactly(at("tcp://[20010db8000000000000000000000001]:80?control"));
    assertThat(Endpoints.references(new Transport.Udp(65_535, V4))).containsExactly(at("udp://10.0.0.255:65535"));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> Endpoints.references(new Transport.Sctp(1, TransportUse.DATA_ONLY, List.of(V4))))
        .withMessageContaining("TCP, UDP and opaque");
  }

  @Test
  void referencesSurviveARoundTrip() {
    EndpointReference full =
        EndpointReference.parse(
            "<a:EndpointReference xmlns:a=\"http://www.w3.org/2005/08/addressing\"><a:Address>http://h/ü</a:Address>"
                + "<a:ReferenceParameters><x xmlns=\"urn:x\">1</x></a:ReferenceParameters></a:EndpointReference>");
    for (List<EndpointReference> references : List.of(
        List.of(at("tcp://10.0.0.255:80")),
        List.of(at("udp://10.0.0.255:80")),
        List.of(at("tcp://[20010db8000000000000000000000001]:9?control")),
        List.of(at("tcp://010.0.0.255:80")),
        List.of(at("tcp://300.0.0.255:80")),
        List.of(at("tcp://10.0.0.255:65536")),
        List.of(at("tcp://10.0.0.255:080")),
        List.of(at("udp://10.0.0.255:80?control")),
        List.of(at("http://host/")),
        List.of(full),
        List.of(at("tcp://10.0.0.255:80"), full, at("http://host/")))) {
      assertThat(Endpoints.references(Endpoints.transport(references))).isEqualTo(references);
    }
    assertThat(Endpoints.transport(List.of(at("tcp://010.0.0.255:80")))).isInstanceOf(Transport.Opaque.class);
    assertThat(Endpoints.transport(List.of(at("tcp://10.0.0.255:80")))).isInstanceOf(Transport.Tcp.class);
  }

  @Test
  void foreignOpaqueTransportsAreRejected() {
    for (String hex : List.of("00", "00000001", "ffffffff", "0000000161", "00000001ff")) {
      assertThatExceptionOfType(RnsException.class)
          .as(hex)
          .isThrownBy(() -> Endpoints.references(new Transport.Opaque(Octets.of(HexFormat.of().parseHex(hex)))));
    }
  }

  @Test
  void elementsSurviveARoundTrip() {
    Parameters parameters = Parameters.PLAIN.withWeight(7).withOccupancy(new Occupancy(1, 2, 3, 4));
    Registration registration =
        new Registration(-5, List.of(at("http://host/")), parameters, 30_000, Optional.of(at("tcp://10.0.0.255:9")));
    RegisteredElement element = new RegisteredElement(registration, -9, Long.MAX_VALUE);
    TableEntry entry = new TableEntry(RnsPath.parse("/ü/p"), PolicyType.ADAPTIVE, element);
    assertThat(
        Descriptions.entry(Descriptions.handle(entry.handle()), Descriptions.description(entry.policy(), element), 0))
        .isEqualTo(entry);
    Registration forEver = new Registration(5, List.of(at("http://host/")), Parameters.PLAIN, Registration.FOREVER);
    assertThat(
        Descriptions.registration(Descriptions.description(PolicyType.RANDOM, new RegisteredElement(forEver, 1, 0))))
        .isEqualTo(forEver);
  }

  @Test
  void handlesArePaths() {
    assertThatExceptionOfType(RnsException.class).isThrownBy(() -> Descriptions.path(Octets.utf8("pool")));
    assertThatExceptionOfType(RnsException.class)
        .isThrownBy(() -> Descriptions.path(Octets.of((byte) '/', (byte) 0xff)))
        .withMessageContaining("UTF-8");
  }
}
