package io.rns.front;

import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Waits for a front of another machine, and takes it over: the other side of {@link RemoteHandoverSender}. Used once.
 */
final class RemoteHandoverReceiver {
  private static final Logger LOG = Logger.getLogger(RemoteHandoverReceiver.class.getName());
  private static final int BACKLOG = 8;
  /** Until a caller, who may be anybody, has proved to be a front; less than a front waits for its turn. */
  private static final Duration GREETING_BOUND = Duration.ofSeconds(3);
  /** For any later one. */
  private static final Duration STEP_BOUND = Duration.ofSeconds(60);
  private static final int MOST_CONNECTIONS = 1_000_000;

  private final FrontServer server;
  private final SubnetAddress address;
  private final TcpRepair repair = new TcpRepair(new SystemCalls());

  RemoteHandoverReceiver(FrontServer server, SubnetAddress address) throws IOException {
    this.server = server;
    this.address = address;
  }

  /** A connection in this kernel, in repair mode. */
  private record Attached(ConnectionState state, List<TcpState> kernel, List<Integer> sockets) {}

  /** All that a predecessor had. */
  private record Arrived(FrontListener listener, List<Attached> connections) {}

  /**
   * Waits until a front was taken over. A caller that is none, or keeps its connections, is logged.
   *
   * @param own where to wait
   * @throws IOException if nobody can call, or what was taken over cannot be served
   */
  void run(InetSocketAddress own) throws IOException {
    if (address.isPresent()) {
      throw new IOException("this machine has the address " + address.address().getHostAddress() + " already");
    }
    repair.warmUp();
    try (ServerSocket waiting = new ServerSocket()) {
      waiting.bind(own, BACKLOG);
      LOG.info(() -> "waiting for a front at " + waiting.getLocalSocketAddress());
      boolean taken = false;
      while (!taken) {
        try (Socket caller = waiting.accept()) {
          taken = takeOver(caller);
        }
      }
    }
  }

  private boolean takeOver(Socket caller) throws IOException {
    // A bound for each read alone would let one that sends little at a time keep others out.
    ScheduledFuture<?> guard =
        server.loops().getFirst().executor().schedule(() -> close(caller), GREETING_BOUND.toMillis(),
            TimeUnit.MILLISECONDS);
    try {
      Optional<SealedChannel> channel = answer(caller);
      Optional<Arrived> arrived = channel.flatMap(each -> receive(caller, each, guard));
      if (arrived.isEmpty()) {
        return false;
      }
      serve(arrived.get(), channel.get().out());
      return true;
    } finally {
      guard.cancel(false);
    }
  }

  private static void close(Socket caller) {
    try {
      caller.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "the connection of a caller could not be closed", e);
    }
  }

  private Optional<SealedChannel> answer(Socket caller) throws IOException {
    String secret = server.settings().serverSecret();
    try {
      return Optional.of(SealedChannel.answer(caller, secret));
    } catch (IOException e) {
      LOG.log(Level.WARNING, () -> "a caller was refused: " + e.getMessage());
      return Optional.empty();
    }
  }

  /**
   * Receives all; empty if the predecessor keeps it, which it does unless it has committed.
   *
   * @param guard ends the caller unless it is cancelled
   */
  private Optional<Arrived> receive(Socket caller, SealedChannel channel, ScheduledFuture<?> guard) {
    List<Attached> connections = new ArrayList<>();
    FrontListener listener = null;
    try {
      listener = listen(channel);
      if (!guard.cancel(false)) {
        throw new IOException("the caller took longer than " + GREETING_BOUND.toSeconds() + " s to introduce itself");
      }
      caller.setSoTimeout(Math.toIntExact(STEP_BOUND.toMillis()));
      channel.out().writeByte(HandoverStep.RECEIVED.code());
      channel.out().write(address.hardware());
      channel.out().flush();
      channel.skipWarmUp();
      attachAll(channel.in(), connections);
      channel.out().writeByte(HandoverStep.RECEIVED.code());
      channel.out().flush();
      if (HandoverStep.read(channel.in()) != HandoverStep.COMMIT) {
        throw new IOException("the predecessor keeps its connections");
      }
      return Optional.of(new Arrived(listener, connections));
    } catch (IOException | RuntimeException e) {
      LOG.log(Level.WARNING, () -> "a front is not taken over: " + e.getMessage());
      connections.forEach(each -> each.sockets().forEach(repair::drop));
      if (listener != null) {
        listener.close();
      }
      refuse(channel, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private static void refuse(SealedChannel channel, String why) {
    try {
      channel.out().writeByte(HandoverStep.ABORT.code());
      channel.out().writeUTF(why);
      channel.out().flush();
    } catch (IOException e) {
      LOG.log(Level.FINE, "the predecessor has ended", e);
    }
  }

  private FrontListener listen(SealedChannel channel) throws IOException {
    DataInputStream in = channel.in();
    if (HandoverStep.read(in) != HandoverStep.LISTENER) {
      throw new IOException("the predecessor does not hand over");
    }
    String host = in.readUTF();
    int port = in.readInt();
    boolean secured = in.readBoolean();
    FrontSettings settings = server.settings();
    if (!host.equals(settings.host()) || port != settings.port()) {
      throw new IOException(
          "this one is to serve at " + settings.host() + ":" + settings.port() + ", the other does at " + host + ":"
              + port);
    }
    if (secured != (server.tls() != null)) {
      throw new IOException("one of the two has HTTPS, the other has not");
    }
    return FrontListener.bindAhead(server.loops(), new InetSocketAddress(address.address(), port), server.tls());
  }

  private void attachAll(DataInputStream in, List<Attached> connections) throws IOException {
    HandoverStep step = HandoverStep.read(in);
    while (step == HandoverStep.WINDOW && connections.size() < MOST_CONNECTIONS) {
      ConnectionState state = ConnectionState.read(in);
      Attached attached = new Attached(state, new ArrayList<>(2), new ArrayList<>(2));
      connections.add(attached);
      for (int i = 0; i < state.sockets(); i++) {
        TcpState kernel = TcpState.read(in);
        attached.kernel().add(kernel);
        attached.sockets().add(repair.attach(kernel));
      }
      step = HandoverStep.read(in);
    }
    if (step != HandoverStep.DONE) {
      throw new IOException("the predecessor keeps its connections");
    }
  }

  private void serve(Arrived arrived, DataOutputStream out) throws IOException {
    address.add();
    arrived.connections().forEach(each -> repair.activateAll(each.sockets()));
    try {
      out.writeByte(HandoverStep.RECEIVED.code());
      out.flush();
    } catch (IOException e) {
      LOG.log(Level.WARNING, "the predecessor has ended", e);
    }
    server.serve(arrived.listener());
    List<FrontLoop> loops = server.loops();
    int next = 0;
    for (Attached each : arrived.connections()) {
      FrontLoop loop = loops.get(next);
      next = (next + 1) % loops.size();
      if (server.tls() != null) {
        // Accepted, and nothing else: connections with TLS do not move.
        arrived.listener().serve(new EpollSocketChannel(each.sockets().getFirst()), each.state().inbound());
      } else {
        HandoverReceiver.Received received =
            new HandoverReceiver.Received(each.state(), each.sockets().stream().map(FileDescriptor::new).toList(),
                each.kernel().getFirst().ended(), each.kernel().getLast().ended());
        loop.executor().execute(() -> HandoverReceiver.adopt(server.directory(), loop, received));
      }
    }
  }
}
