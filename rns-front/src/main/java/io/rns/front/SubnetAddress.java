package io.rns.front;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * An IPv4 address that a front has on a network interface as long as it serves there, and that moves with it. Other
 * machines of the subnet learn by a gratuitous ARP where it is. Used by one thread at a time.
 */
final class SubnetAddress {
  static final int HARDWARE_BYTES = 6;

  private static final int PACKET = 17;
  private static final int RAW = 3;
  private static final int NETLINK = 16;
  private static final int NEW_ADDRESS = 20;
  private static final int DELETE_ADDRESS = 21;
  private static final int REQUEST = 1;
  private static final int ACKNOWLEDGE = 4;
  private static final int EXCLUSIVE = 0x200;
  private static final int CREATE = 0x400;
  private static final int ERROR_MESSAGE = 2;
  private static final int MESSAGE_BYTES = 40;
  private static final int RESULT_OFFSET = 16;
  private static final int INET = 2;
  private static final int ALL_BITS = 32;
  private static final int ADDRESS_ATTRIBUTE = 1;
  private static final int LOCAL_ATTRIBUTE = 2;
  private static final int ARP = 0x0806;
  private static final int IPV4 = 0x0800;
  private static final int ETHERNET = 1;
  private static final int ARP_REQUEST = 1;
  private static final int ARP_REPLY = 2;
  private static final Logger LOG = Logger.getLogger(SubnetAddress.class.getName());
  /** ANNOUNCE_INTERVAL of RFC 5227. Linux ignores an announcement within a second of another one. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final SystemCalls calls;
  private final Inet4Address address;
  private final String device;
  private final int index;
  private final byte[] hardware;

  /**
   * An address, which nothing is done with yet.
   *
   * @param device name of the network interface
   * @throws IOException if the interface cannot be used
   */
  SubnetAddress(Inet4Address address, String device, SystemCalls calls) throws IOException {
    this.address = address;
    this.device = device;
    this.calls = calls;
    NetworkInterface found = NetworkInterface.getByName(device);
    if (found == null || !found.isUp()) {
      throw new IOException("there is no network interface " + device + " that is up");
    }
    byte[] own = found.getHardwareAddress();
    if (own == null || own.length != HARDWARE_BYTES) {
      throw new IOException("the network interface " + device + " is none of Ethernet");
    }
    index = found.getIndex();
    hardware = own;
  }

  Inet4Address address() {
    return address;
  }

  /** The hardware address of the interface. */
  byte[] hardware() {
    return hardware.clone();
  }

  /** Whether this machine has it, on any interface. */
  boolean isPresent() throws IOException {
    return NetworkInterface.getByInetAddress(address) != null;
  }

  /** Gives it to the interface unless this machine has it, and announces it. */
  void add() throws IOException {
    if (!isPresent()) {
      change(NEW_ADDRESS, REQUEST | ACKNOWLEDGE | CREATE | EXCLUSIVE);
    }
    announce();
    Thread.ofVirtual().name("announcement").start(this::announceAgain);
  }

  /** A packet may be lost, and who has missed both would send to the former machine for a minute. */
  private void announceAgain() {
    LockSupport.parkNanos(AGAIN_NANOS);
    try {
      if (isPresent()) {
        new SubnetAddress(address, device, new SystemCalls()).announce();
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "the address was announced once only", e);
    }
  }

  /** Takes it from the interface: from here on this machine neither receives nor sends packets of the address. */
  void remove() throws IOException {
    change(DELETE_ADDRESS, REQUEST | ACKNOWLEDGE);
  }

  private void change(int type, int flags) throws IOException {
    ByteBuffer message = SystemCalls.memory(MESSAGE_BYTES);
    message.putInt(MESSAGE_BYTES).putShort((short) type).putShort((short) flags).putInt(1).putInt(0);
    message.put((byte) INET).put((byte) ALL_BITS).put((byte) 0).put((byte) 0).putInt(index);
    for (int attribute : new int[]{ADDRESS_ATTRIBUTE, LOCAL_ATTRIBUTE}) {
      message.putShort((short) 8).putShort((short) attribute).put(address.getAddress());
    }
    int socket = calls.socket(NETLINK, RAW, 0);
    try {
      int unused = calls.send(socket, message.flip());
      ByteBuffer answer = SystemCalls.memory(4_096);
      int length = calls.receive(socket, answer, 0);
      int error = length < RESULT_OFFSET + Integer.BYTES ? Integer.MIN_VALUE : answer.getInt(RESULT_OFFSET);
      if (answer.getShort(Integer.BYTES) != ERROR_MESSAGE || error != 0) {
        throw new IOException(
            address.getHostAddress() + "/32 cannot be " + (type == NEW_ADDRESS ? "added to " : "removed from ") + device
                + ": errno " + -error + (error == -1 ? " (needs CAP_NET_ADMIN)" : ""));
      }
    } finally {
      calls.close(socket);
    }
  }

  /** Tells the subnet that the address is here. */
  private void announce() throws IOException {
    int socket = open(ARP, calls);
    try {
      // Some systems heed one kind, some the other.
      for (int operation : new int[]{ARP_REQUEST, ARP_REPLY}) {
        int unused = calls.send(socket, announcement(operation));
      }
    } finally {
      calls.close(socket);
    }
  }

  private ByteBuffer announcement(int operation) {
    byte[] broadcast = new byte[HARDWARE_BYTES];
    Arrays.fill(broadcast, (byte) -1);
    byte[] own = address.getAddress();
    return ByteBuffer.allocateDirect(42)
        .put(broadcast).put(hardware).putShort((short) ARP)
        .putShort((short) ETHERNET).putShort((short) IPV4).put((byte) HARDWARE_BYTES).put((byte) own.length)
        .putShort((short) operation)
        .put(hardware).put(own).put(operation == ARP_REPLY ? hardware : new byte[HARDWARE_BYTES]).put(own)
        .flip();
  }

  /** A socket for whole packets of a protocol on the interface. */
  int open(int protocol, SystemCalls by) throws IOException {
    int socket = by.socket(PACKET, RAW, Short.reverseBytes((short) protocol) & 0xffff);
    try {
      ByteBuffer interfaceAddress = SystemCalls.memory(20);
      interfaceAddress.putShort((short) PACKET).order(ByteOrder.BIG_ENDIAN).putShort((short) protocol)
          .order(ByteOrder.nativeOrder()).putInt(index);
      by.bind(socket, interfaceAddress.rewind());
      return socket;
    } catch (IOException e) {
      by.close(socket);
      throw e;
    }
  }
}
