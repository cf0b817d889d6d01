package io.rns.front;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Hands a front to its successor on another machine of the subnet: takes the address away from this machine, so that
 * nothing is sent or received any more, then all connections out of the kernel. The successor gives itself the address
 * after {@link HandoverStep#COMMIT} only; before, this front goes on with what it has; after, it never does. Used once,
 * by one thread.
 */
final class RemoteHandoverSender {
  private static final Logger LOG = Logger.getLogger(RemoteHandoverSender.class.getName());
  private static final Duration ANSWER_BOUND = Duration.ofSeconds(5);
  /** For requests on connections that cannot move; less than the successor waits. */
  private static final Duration LEAVE_BOUND = Duration.ofSeconds(30);
  /** For those that are left when all others stand still. */
  private static final Duration LAST_BOUND = Duration.ofSeconds(2);
  private static final long PASS_NANOS = TimeUnit.SECONDS.toNanos(1);
  /** In which clients that are connecting complete it: some round trips in a subnet. */
  private static final long CONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  /** Packets are held meanwhile, also those that were processed. */
  private static final long MOST_CONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  /** For connections that only the kernel has still: that of a client that is gone stays for minutes. */
  private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  /** Passes over the connections: one whose server has ended goes on, to be stopped in the next pass. */
  private static final int PASSES = 10;

  private final FrontServer server;
  private final InetSocketAddress successor;
  private final SubnetAddress address;
  private final SystemCalls calls = new SystemCalls();
  private final TcpRepair repair = new TcpRepair(calls);
  private final List<Stopped> stopped = new ArrayList<>();
  private final List<EpollSocketChannel> accepted = new ArrayList<>();
  private @Nullable HeldPackets packets;
  private @Nullable ConnectFilter filter;
  private boolean fenced;
  private int moved;

  /** Connections of a loop that stand still. */
  private record Stopped(FrontLoop loop, List<HandoverSender.Moving> connections) {}

  /**
   * A handover that has not begun.
   *
   * @param successor where the other front waits
   * @throws IOException if this front cannot move
   */
  RemoteHandoverSender(FrontServer server, InetSocketAddress successor) throws IOException {
    this.server = server;
    this.successor = successor;
    SubnetAddress own = server.address();
    if (own == null) {
      throw new IOException("only a front with --interface can move to another machine");
    }
    for (URI each : server.settings().servers()) {
      InetAddress at = FrontedServer.at(each).address().getAddress();
      if (at == null || at.isLoopbackAddress()) {
        throw new IOException("the other machine cannot reach the server " + each);
      }
    }
    address = own;
  }

  /**
   * Hands over.
   *
   * @return {@code connections}, {@code bytes} of their state, and {@code millis} that clients waited
   * @throws IOException if this front goes on serving
   */
  Map<String, Object> run() throws IOException {
    try (SealedChannel channel = call()) {
      byte[] hardware = introduce(channel);
      repair.warmUp();
      channel.warmUp();
      server.listener().setAccepting(false);
      long begun;
      int bytes;
      try {
        leaveImmovable(LEAVE_BOUND);
        settle(0, SETTLE_NANOS, UnsettledConnections.ENDING);
        packets = HeldPackets.of(address);
        filter = ConnectFilter.attach(server.listener().descriptor(), calls);
        settle(CONNECT_NANOS, MOST_CONNECT_NANOS, UnsettledConnections.BEGINNING);
        begun = System.nanoTime();
        bytes = send(channel);
      } catch (IOException | RuntimeException e) {
        goOn(channel);
        throw e;
      }
      commit(channel, hardware);
      Map<String, Object> result = new LinkedHashMap<>();
      result.put("connections", moved);
      result.put("bytes", bytes);
      result.put("millis", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
      return result;
    }
  }

  private SealedChannel call() throws IOException {
    SealedChannel channel = SealedChannel.call(successor, server.settings().serverSecret(), ANSWER_BOUND);
    if (channel.localAddress().equals(address.address())) {
      channel.close();
      throw new IOException("this machine has no address besides the moving one");
    }
    return channel;
  }

  /** Says what is to move; returns the hardware address of the successor. */
  private byte[] introduce(SealedChannel channel) throws IOException {
    DataOutputStream out = channel.out();
    out.writeByte(HandoverStep.LISTENER.code());
    out.writeUTF(address.address().getHostAddress());
    out.writeInt(server.port());
    out.writeBoolean(server.tls() != null);
    out.flush();
    confirmed(channel);
    byte[] hardware = new byte[SubnetAddress.HARDWARE_BYTES];
    channel.in().readFully(hardware);
    return hardware;
  }

  private void leaveImmovable(Duration bound) {
    long end = System.nanoTime() + bound.toNanos();
    while (immovable() > 0 && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private int immovable() {
    return server.loops().stream().mapToInt(loop -> FrontServer.on(loop, loop::leaveImmovable)).sum();
  }

  /** Waits until the kernel has no connection in some states, for as long as that is worth it. */
  private void settle(long least, long most, Set<String> states) throws IOException {
    long begun = System.nanoTime();
    long passed = 0;
    while (passed < least || (passed < most && UnsettledConnections.any(address.address(), states))) {
      // Not sooner: the kernel lists all connections each time.
      LockSupport.parkNanos(CONNECT_NANOS);
      passed = System.nanoTime() - begun;
    }
  }

  /** Sends all connections; returns the number of bytes. */
  private int send(SealedChannel channel) throws IOException {
    // A successor that does not read would hold clients up as long as it likes.
    ScheduledFuture<?> guard =
        server.loops().getFirst().executor().schedule(() -> close(channel), ANSWER_BOUND.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      stopAll();
      fenced = true;
      address.remove();
      acceptWaiting();
      int before = channel.out().size();
      for (Stopped each : stopped) {
        sendAll(channel.out(), each.connections());
      }
      for (EpollSocketChannel each : accepted) {
        sendAccepted(channel.out(), each);
      }
      int bytes = channel.out().size() - before;
      step(channel, HandoverStep.DONE);
      confirmed(channel);
      if (!guard.cancel(false)) {
        throw new IOException("the successor took too long");
      }
      return bytes;
    } finally {
      guard.cancel(false);
    }
  }

  private static void close(SealedChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "the connection to the successor could not be closed", e);
    }
  }

  private void stopAll() {
    boolean some = true;
    for (int pass = 0; some && pass < PASSES; pass++) {
      some = false;
      for (FrontLoop loop : server.loops()) {
        List<ClientLink> movable = FrontServer.on(loop, () -> loop.movable(Integer.MAX_VALUE));
        if (!movable.isEmpty()) {
          some = true;
          stopped.add(new Stopped(loop, HandoverSender.freeze(loop, movable)));
        }
      }
    }
    leaveImmovable(LAST_BOUND);
    for (FrontLoop loop : server.loops()) {
      boolean unused = FrontServer.on(loop, () -> {
        loop.closeImmovable();
        loop.pool().close();
        return true;
      });
    }
  }

  /** Accepts those who have connected, and are not served yet. */
  private void acceptWaiting() throws IOException {
    int socket = calls.accept(server.listener().descriptor());
    while (socket != SystemCalls.NONE) {
      accepted.add(new EpollSocketChannel(socket));
      socket = calls.accept(server.listener().descriptor());
    }
  }

  private void sendAll(DataOutputStream out, List<HandoverSender.Moving> connections) throws IOException {
    for (HandoverSender.Moving moving : connections) {
      Optional<TcpRepair.Detached> client = detach((EpollSocketChannel) moving.client().channel());
      ServerLink link = moving.client().movingWith();
      Optional<TcpRepair.Detached> at =
          link == null ? Optional.empty() : detach((EpollSocketChannel) link.channel());
      if (client.isEmpty()) {
        continue;
      }
      out.writeByte(HandoverStep.WINDOW.code());
      state(moving.state(), client.get(), at).write(out);
      client.get().state().write(out);
      if (at.isPresent()) {
        at.get().state().write(out);
      }
      moved++;
    }
  }

  private static ConnectionState state(
      ConnectionState state, TcpRepair.Detached client, Optional<TcpRepair.Detached> at) {
    PendingRequest pending = state.request();
    if (pending == null || at.isPresent()) {
      return state.with(client.unread(), client.unsent(),
          pending == null ? null : pending.with(at.get().unread(), at.get().unsent()));
    }
    // The server has reset its connection: only the successor can ask another one, or tell the client.
    return pending.hasBegun() ? state.withoutServer(client.unsent())
        : state.with(client.unread(), client.unsent(), pending.alone());
  }

  private void sendAccepted(DataOutputStream out, EpollSocketChannel each) throws IOException {
    Optional<TcpRepair.Detached> client = detach(each);
    if (client.isPresent()) {
      out.writeByte(HandoverStep.WINDOW.code());
      ConnectionState.accepted(client.get().unread()).write(out);
      client.get().state().write(out);
      moved++;
    }
  }

  private Optional<TcpRepair.Detached> detach(EpollSocketChannel channel) throws IOException {
    if (!channel.isOpen()) {
      return Optional.empty();
    }
    InetSocketAddress local = channel.localAddress();
    if (!local.getAddress().equals(address.address())) {
      throw new IOException("a connection has the address " + local + ", which does not move");
    }
    return repair.detach(channel.fd().intValue(), local, channel.remoteAddress());
  }

  private static void step(SealedChannel channel, HandoverStep step) throws IOException {
    channel.out().writeByte(step.code());
    channel.out().flush();
  }

  private static void confirmed(SealedChannel channel) throws IOException {
    HandoverStep step = HandoverStep.read(channel.in());
    if (step == HandoverStep.ABORT) {
      throw new IOException("the successor refuses: " + channel.in().readUTF());
    }
    if (step != HandoverStep.RECEIVED) {
      throw new IOException("the successor answers " + step);
    }
  }

  /** From here on the connections belong to the successor, whether or not it answers. */
  private void commit(SealedChannel channel, byte[] hardware) {
    try {
      step(channel, HandoverStep.COMMIT);
      confirmed(channel);
      HeldPackets held = packets;
      if (held != null) {
        held.passTo(hardware);
      }
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.SEVERE, "the successor has got all connections, but does not say that it serves them", e);
    }
  }

  /** Serves all clients as before. */
  private void goOn(SealedChannel channel) {
    try {
      if (fenced) {
        address.add();
      }
      if (filter != null) {
        filter.detach();
      }
    } catch (IOException e) {
      LOG.log(Level.SEVERE, "the front cannot go on with its connections", e);
    }
    repair.activateAll(sockets());
    for (Stopped each : stopped) {
      each.connections().forEach(moving -> each.loop().executor().execute(moving.client()::thaw));
    }
    server.goOn();
    accepted.forEach(each -> server.listener().serve(each, new byte[0]));
    closePackets();
    // Last: a successor that does not read holds nobody up.
    try {
      step(channel, HandoverStep.ABORT);
    } catch (IOException e) {
      LOG.log(Level.FINE, "the successor has ended", e);
    }
  }

  /** Those that are open still. */
  private List<Integer> sockets() {
    List<Channel> all = new ArrayList<>(accepted);
    for (Stopped each : stopped) {
      for (HandoverSender.Moving moving : each.connections()) {
        all.add(moving.client().channel());
        ServerLink link = moving.client().movingWith();
        if (link != null) {
          all.add(link.channel());
        }
      }
    }
    return all.stream().filter(Channel::isOpen).map(each -> ((EpollSocketChannel) each).fd().intValue()).toList();
  }

  private void closePackets() {
    HeldPackets held = packets;
    if (held != null) {
      held.close();
    }
  }

  /** After {@link #run}: passes late packets to the successor, and closes all that has moved, which nobody notices. */
  void end() {
    LockSupport.parkNanos(PASS_NANOS);
    closePackets();
    accepted.forEach(each -> each.unsafe().closeForcibly());
    for (Stopped each : stopped) {
      boolean unused = FrontServer.on(each.loop(), () -> {
        each.connections().forEach(moving -> moving.client().handedOver());
        return true;
      });
    }
    server.handedOver();
  }
}
