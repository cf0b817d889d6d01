package io.rns.front;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Packets that arrive for an address while it moves: held, and passed to the machine that has it then, so that their
 * senders need not send them again, which takes at least 200 ms. Thread-safe.
 */
final class HeldPackets implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(HeldPackets.class.getName());
  private static final int IPV4 = 0x0800;
  private static final int PACKET_LEVEL = 263;
  private static final int VNET_HDR = 15;
  private static final int RCVTIMEO = 20;
  private static final int RCVBUFFORCE = 33;
  private static final int QUEUE_BYTES = 16 << 20;
  /** More are lost, as on a network. */
  private static final int MOST_BYTES = 64 << 20;
  private static final int WAIT_MICROS = 2_000;
  /** What the kernel says about checksum and segments of a packet, and wants to know when it is sent. */
  private static final int VNET_BYTES = 10;
  private static final int ETHERNET_BYTES = 14;
  private static final int TARGET = VNET_BYTES + ETHERNET_BYTES + 16;
  private static final int LEAST_BYTES = TARGET + 4;

  private final SystemCalls calls = new SystemCalls();
  private final SubnetAddress address;
  private final int wanted;
  private final int socket;
  private final ByteBuffer packet = SystemCalls.memory(VNET_BYTES + ETHERNET_BYTES + 65_536);
  private final Queue<byte[]> held = new ArrayDeque<>();
  private final AtomicReference<byte @Nullable []> successor = new AtomicReference<>();
  private final Thread thread;
  private long bytes;
  private volatile boolean over;

  private HeldPackets(SubnetAddress address) throws IOException {
    this.address = address;
    this.wanted = ByteBuffer.wrap(address.address().getAddress()).order(ByteOrder.nativeOrder()).getInt();
    this.socket = address.open(IPV4, calls);
    try {
      calls.set(socket, PACKET_LEVEL, VNET_HDR, "PACKET_VNET_HDR", 1);
      calls.set(socket, SystemCalls.SOCKET_LEVEL, RCVBUFFORCE, "SO_RCVBUFFORCE", QUEUE_BYTES);
      ByteBuffer wait = SystemCalls.memory(2 * Long.BYTES).putLong(0, 0).putLong(Long.BYTES, WAIT_MICROS);
      calls.set(socket, SystemCalls.SOCKET_LEVEL, RCVTIMEO, "SO_RCVTIMEO", wait);
    } catch (IOException e) {
      calls.close(socket);
      throw e;
    }
    thread = Thread.ofPlatform().name("rns-front-packets").daemon().unstarted(this::run);
  }

  /** Holds the packets that arrive from now on. */
  static HeldPackets of(SubnetAddress address) throws IOException {
    HeldPackets packets = new HeldPackets(address);
    packets.thread.start();
    return packets;
  }

  /** Passes them to the machine with this hardware address, also those that still arrive. */
  void passTo(byte[] hardware) {
    successor.set(hardware.clone());
  }

  private void run() {
    try {
      while (!over) {
        receive();
        pass();
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, () -> "packets that arrive for the moving address are lost: " + e.getMessage());
    } finally {
      calls.close(socket);
    }
  }

  private void receive() throws IOException {
    packet.clear();
    int length = calls.receive(socket, packet, 0);
    if (length < LEAST_BYTES || bytes + length > MOST_BYTES) {
      return;
    }
    if (packet.getInt(TARGET) == wanted) {
      byte[] copy = new byte[length];
      packet.get(0, copy);
      held.add(copy);
      bytes += length;
    }
  }

  private void pass() throws IOException {
    byte[] to = successor.get();
    while (to != null && !held.isEmpty()) {
      byte[] next = held.remove();
      bytes -= next.length;
      packet.clear().put(next).put(VNET_BYTES, to).put(VNET_BYTES + to.length, address.hardware()).flip();
      int unused = calls.send(socket, packet);
    }
  }

  /** Lets go of all that have not been passed. */
  @Override
  public void close() {
    over = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
