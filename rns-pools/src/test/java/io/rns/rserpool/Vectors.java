package io.rns.rserpool;

import io.rns.pool.ElementExperience;
import io.rns.pool.Occupancy;
import io.rns.rserpool.Transport.Dccp;
import io.rns.rserpool.Transport.Opaque;
import io.rns.rserpool.Transport.Sctp;
import io.rns.rserpool.Transport.Tcp;
import io.rns.rserpool.Transport.Udp;
import io.rns.rserpool.Transport.UdpLite;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Messages with their bytes, written by hand from the figures of RFC 5352, 5353, 5354 and 5356. */
final class Vectors {
  static final Octets HANDLE = Octets.utf8("/p");

  /** 127.0.0.1 and 2001:db8::1. */
  static final IpAddress V4 = new IpAddress(Octets.of(bytes("7f000001")));

  static final IpAddress V6 = new IpAddress(Octets.of(bytes("20010db8 00000000 00000000 00000001")));

  private static final Tcp WEB = new Tcp(80, TransportUse.DATA_ONLY, V4);
  private static final SelectionPolicy ROUND_ROBIN = new SelectionPolicy(1, Octets.NONE);

  /** Padded to a 32-bit word. */
  private static final String HANDLE_HEX = "0009 0006 2f70 0000";

  private static final String HANDLE_LAST_HEX = "0009 0006 2f70 0000";
  private static final String ID_HEX = "000e 0008 1234 5678";
  private static final String NAME_HEX = "000a 1234 5678 2f70 0000";
  private static final int ID = 0x1234_5678;
  private static final int SERVER = 0xcafe_0001;
  private static final int PEER = 0xbeef_0002;
  private static final String PEERS_HEX = "cafe 0001 beef 0002";

  /** 16 bytes of its own, TCP of 16, round robin of 8: 40. */
  static final ElementDescription PLAIN =
      new ElementDescription(
          ID, SERVER, 30, WEB, ROUND_ROBIN, Optional.empty(), Optional.empty(), Optional.empty());

  private static final String PLAIN_HEX =
      """
      000a 0028 1234 5678 cafe 0001 0000 001e
      0005 0010 0050 0000 0001 0008 7f00 0001
      0008 0008 0000 0001
      """;

  /**
   * With all optional parts: infinite lifetime, SCTP with two addresses, least used with degradation, UDP for control.
   */
  static final ElementDescription FULL =
      new ElementDescription(
          -1,
          0,
          ElementDescription.FOREVER,
          new Sctp(65_535, TransportUse.DATA_AND_CONTROL, List.of(V4, V6)),
          new SelectionPolicy(0x4000_0002, Octets.of(bytes("8000 0000 0000 0010"))),
          Optional.of(new Udp(9, V4)),
          Optional.of(0x0102_0304_0506_0708L),
          Optional.of(new Occupancy(7, 0x1_0000_0002L, 3, 16)));

  /** 16 + 36 + 16 + 16 + 12 + 24 = 120. */
  private static final String FULL_HEX =
      """
      000a 0078 ffff ffff 0000 0000 ffff ffff
      0004 0024 ffff 0001 0001 0008 7f00 0001 0002 0014 2001 0db8 0000 0000 0000 0000 0000 0001
      0008 0010 4000 0002 8000 0000 0000 0010
      0006 0010 0009 0000 0001 0008 7f00 0001
      a521 000c 0102 0304 0506 0708
      a522 0018 0000 0007 0000 0001 0000 0002 0000 0003 0000 0010
      """;

  private Vectors() {}

  static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
  }

  static Map<AsapMessage, String> asap() {
    Map<AsapMessage, String> vectors = new LinkedHashMap<>();
    List<ErrorCause> unknown = List.of(new ErrorCause(ErrorCause.UNKNOWN_HANDLE, Octets.NONE));
    List<ErrorCause> two =
        List.of(new ErrorCause(5, Octets.of(bytes("61"))), new ErrorCause(6, Octets.of(bytes("626364"))));
    vectors.put(new AsapMessage.Registration(HANDLE, PLAIN), "0100 0034" + HANDLE_HEX + PLAIN_HEX);
    vectors.put(new AsapMessage.Registration(HANDLE, FULL), "0100 0084" + HANDLE_HEX + FULL_HEX);
    vectors.put(new AsapMessage.Deregistration(HANDLE, ID), "0200 0014" + HANDLE_HEX + ID_HEX);
    vectors.put(
        new AsapMessage.RegistrationResponse(false, HANDLE, ID, List.of()), "0300 0014" + HANDLE_HEX + ID_HEX);
    // The causes: 4 + 1 bytes and 3 of padding, 4 + 3 bytes and 1 of trailing padding, which no length counts.
    vectors.put(
        new AsapMessage.RegistrationResponse(true, HANDLE, ID, two),
        "0301 0027" + HANDLE_HEX + ID_HEX + "000c 0013 0005 0005 6100 0000 0006 0007 6263 6400");
    vectors.put(
        new AsapMessage.DeregistrationResponse(HANDLE, ID, unknown),
        "0400 001c" + HANDLE_HEX + ID_HEX + "000c 0008 0009 0004");
    // A handle of two bytes at the end: its padding is sent, but counted in no length.
    vectors.put(new AsapMessage.HandleResolution(false, HANDLE), "0500 000a" + HANDLE_LAST_HEX);
    vectors.put(new AsapMessage.HandleResolution(true, HANDLE), "0501 000a" + HANDLE_LAST_HEX);
    vectors.put(
        new AsapMessage.HandleResolutionResponse(true, HANDLE, Optional.of(ROUND_ROBIN), List.of(PLAIN, FULL),
            List.of()),
        "0601 00b4" + HANDLE_HEX + "0008 0008 0000 0001" + PLAIN_HEX + FULL_HEX);
    vectors.put(
        new AsapMessage.HandleResolutionResponse(false, HANDLE, Optional.empty(), List.of(), unknown),
        "0600 0014" + HANDLE_HEX + "000c 0008 0009 0004");
    vectors.put(new AsapMessage.KeepAlive(false, SERVER, HANDLE), "0700 000e cafe 0001" + HANDLE_LAST_HEX);
    vectors.put(new AsapMessage.KeepAlive(true, SERVER, HANDLE), "0701 000e cafe 0001" + HANDLE_LAST_HEX);
    vectors.put(new AsapMessage.KeepAliveAck(HANDLE, ID), "0800 0014" + HANDLE_HEX + ID_HEX);
    vectors.put(new AsapMessage.Unreachable(HANDLE, ID), "0900 0014" + HANDLE_HEX + ID_HEX);
    vectors.put(
        new AsapMessage.ServerAnnounce(SERVER, List.of(WEB, new UdpLite(1, V6), new Dccp(2, 3, V4)),
            Optional.of(Octets.utf8("abcd"))),
        """
        0a00 0050 cafe 0001
        0005 0010 0050 0000 0001 0008 7f00 0001
        0007 001c 0001 0000 0002 0014 2001 0db8 0000 0000 0000 0000 0000 0001
        0003 0014 0002 0000 0000 0003 0001 0008 7f00 0001
        a528 0008 6162 6364
        """);
    vectors.put(new AsapMessage.Cookie(Octets.of(bytes("0102030405"))), "0b00 000d 000d 0009 0102 0304 0500 0000");
    vectors.put(new AsapMessage.CookieEcho(Octets.of(bytes("01020304"))), "0c00 000c 000d 0008 0102 0304");
    vectors.put(new AsapMessage.BusinessCard(HANDLE, List.of(PLAIN)), "0d00 0034" + HANDLE_HEX + PLAIN_HEX);
    vectors.put(new AsapMessage.ErrorReport(unknown), "0e00 000c 000c 0008 0009 0004");
    return vectors;
  }

  static Map<EnrpMessage, String> enrp() {
    Map<EnrpMessage, String> vectors = new LinkedHashMap<>();
    ServerInformation information = new ServerInformation(SERVER, WEB);
    String informationHex = "000b 0018 cafe 0001 0005 0010 0050 0000 0001 0008 7f00 0001";
    // A checksum of two bytes at the end: 12 + 6.
    vectors.put(
        new EnrpMessage.Presence(SERVER, 0, false, 0x67e3, Optional.empty(), Optional.empty(), Optional.empty()),
        "0100 0012 cafe 0001 0000 0000 000f 0006 67e3 0000");
    vectors.put(
        new EnrpMessage.Presence(
            SERVER, PEER, true, 0xffff, Optional.of(information), Optional.of(-2L),
            Optional.of(new UnreachableElement(new ElementName(HANDLE, ID), Optional.empty()))),
        "0101 0042" + PEERS_HEX + "000f 0006 ffff 0000" + informationHex + "a523 000c ffff ffff ffff fffe" + "a525 "
            + NAME_HEX);
    vectors.put(
        new EnrpMessage.Presence(
            SERVER, PEER, false, 0xffff, Optional.empty(), Optional.empty(),
            Optional.of(new UnreachableElement(new ElementName(Octets.utf8("/abc"), ID), Optional.of(-2L)))),
        "0100 002c" + PEERS_HEX + "000f 0006 ffff 0000" + "a525 000c 1234 5678 2f61 6263"
            + "a526 000c ffff ffff ffff fffe");
    vectors.put(new EnrpMessage.HandleTableRequest(SERVER, PEER, false, Optional.empty()), "0200 000c" + PEERS_HEX);
    vectors.put(
        new EnrpMessage.HandleTableRequest(SERVER, PEER, true, Optional.of(new ElementName(HANDLE, ID))),
        "0201 0016" + PEERS_HEX + "a524 " + NAME_HEX);
    vectors.put(
        new EnrpMessage.HandleTableResponse(
            SERVER,
            PEER,
            true,
            false,
            List.of(new PoolEntry(HANDLE, List.of(PLAIN)), new PoolEntry(Octets.utf8("/q"), List.of(FULL, PLAIN))),
            Optional.of(new ElementName(HANDLE, ID))),
        "0302 00ee" + PEERS_HEX + HANDLE_HEX + PLAIN_HEX + "0009 0006 2f71 0000" + FULL_HEX + PLAIN_HEX + "a524 "
            + NAME_HEX);
    vectors.put(
        new EnrpMessage.HandleTableResponse(SERVER, PEER, false, true, List.of(), Optional.empty()),
        "0301 000c" + PEERS_HEX);
    vectors.put(
        new EnrpMessage.HandleUpdate(SERVER, 0, UpdateAction.ADD_ELEMENT, HANDLE, FULL),
        "0400 0090 cafe 0001 0000 0000 0000 0000" + HANDLE_HEX + FULL_HEX);
    vectors.put(
        new EnrpMessage.HandleUpdate(SERVER, 0, UpdateAction.DELETE_ELEMENT, HANDLE, PLAIN),
        "0400 0040 cafe 0001 0000 0000 0001 0000" + HANDLE_HEX + PLAIN_HEX);
    vectors.put(new EnrpMessage.ListRequest(SERVER, PEER), "0500 000c" + PEERS_HEX);
    vectors.put(
        new EnrpMessage.ListResponse(
            SERVER, PEER, false, List.of(information, new ServerInformation(PEER, new Opaque(Octets.utf8("x"))))),
        // The opaque transport ends with one byte: 12 + 24 + (8 + 5) = 49.
        "0600 0031" + PEERS_HEX + informationHex + "000b 000d beef 0002 0010 0005 7800 0000");
    vectors.put(new EnrpMessage.ListResponse(SERVER, PEER, true, List.of()), "0601 000c" + PEERS_HEX);
    vectors.put(new EnrpMessage.InitTakeover(SERVER, 0, 9), "0700 0010 cafe 0001 0000 0000 0000 0009");
    vectors.put(new EnrpMessage.InitTakeoverAck(SERVER, PEER, 9), "0800 0010" + PEERS_HEX + "0000 0009");
    vectors.put(new EnrpMessage.TakeoverServer(SERVER, 0, 9), "0900 0010 cafe 0001 0000 0000 0000 0009");
    vectors.put(
        new EnrpMessage.ExperienceReport(
            SERVER,
            0,
            List.of(
                new PoolExperience(
                    HANDLE,
                    List.of(
                        new PoolExperience.Report(-2, ElementExperience.answered(ID, 258)),
                        new PoolExperience.Report(5, ElementExperience.failed(ID)))))),
        "2b00 0038 cafe 0001 0000 0000" + HANDLE_HEX + "a527 0024 1234 5678 ffff ffff ffff fffe 0000 0102"
            + "1234 5678 0000 0000 0000 0005 ffff ffff");
    vectors.put(
        new EnrpMessage.ErrorReport(SERVER, PEER, List.of(new ErrorCause(2, Octets.of(bytes("7f000004"))))),
        "0a00 0018" + PEERS_HEX + "000c 000c 0002 0008 7f00 0004");
    return vectors;
  }
}
