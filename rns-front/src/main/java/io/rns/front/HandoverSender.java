package io.rns.front;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Hands the sockets of a front to its successor on this machine: first the listening one, then those of clients in
 * windows, each with its state; TLS connections are answered here and closed. A window that the successor does not
 * confirm in time stays here. Used once, by one thread.
 */
final class HandoverSender {
  /** Connections of one window: at most 200 sockets are on their way. */
  static final int WINDOW = 100;
  /** In place of a process id. */
  static final long REFUSED = -1;

  private static final Logger LOG = Logger.getLogger(HandoverSender.class.getName());
  private static final Duration CONFIRM_BOUND = Duration.ofSeconds(5);
  /** Passes without a connection before it ends: one may have been accepted meanwhile. */
  private static final int EMPTY_PASSES = 2;
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private final FrontServer server;
  private final Path path;
  private final SocketChannel control;
  private final DataInputStream in;
  private final DataOutputStream out;
  /** Grows from one connection: the successor is slow at first, as any program that has just started. */
  private int size = 1;

  HandoverSender(FrontServer server, Path path, SocketChannel control, DataInputStream in, DataOutputStream out) {
    this.server = server;
    this.path = path;
    this.control = control;
    this.in = in;
    this.out = new DataOutputStream(new java.io.BufferedOutputStream(out, 65_536));
  }

  /** Tells a successor why it gets nothing. */
  static void refuse(DataOutputStream out, String why) throws IOException {
    out.writeLong(REFUSED);
    out.writeUTF(why);
    out.flush();
  }

  /** A frozen connection with its state. */
  record Moving(ClientLink client, ConnectionState state, List<FileDescriptor> sockets) {}

  void run() throws IOException {
    FrontListener listener = server.listener();
    out.writeLong(ProcessHandle.current().pid());
    out.flush();
    Channel descriptors = connect();
    try {
      sendListener(listener, descriptors);
      int empty = 0;
      while (empty < EMPTY_PASSES) {
        boolean moved = false;
        for (FrontLoop loop : server.loops()) {
          moved |= sendWindow(loop, descriptors);
        }
        empty = moved ? 0 : empty + 1;
        if (!moved) {
          LockSupport.parkNanos(POLL_NANOS);
        }
      }
      server.endRest();
      step(HandoverStep.DONE);
      confirmed();
    } catch (IOException | RuntimeException e) {
      abort();
      server.goOn();
      throw e;
    } finally {
      var unused = descriptors.close();
    }
    server.handedOver();
  }

  private Channel connect() throws IOException {
    ChannelFuture connected =
        new Bootstrap()
            .group(server.handovers())
            .channel(EpollDomainSocketChannel.class)
            .handler(new ChannelInboundHandlerAdapter() {
              @Override
              public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                // Reset: the successor has ended, which its control connection reports, too.
                var unused = context.close();
              }
            })
            .connect(new DomainSocketAddress(path.toString()))
            .awaitUninterruptibly();
    if (!connected.isSuccess()) {
      throw new IOException("the successor's socket does not accept: " + connected.cause().getMessage(),
          connected.cause());
    }
    return connected.channel();
  }

  private void sendListener(FrontListener listener, Channel descriptors) throws IOException {
    step(HandoverStep.LISTENER);
    send(descriptors, List.of(new FileDescriptor(listener.descriptor())));
    confirmed();
    listener.setAccepting(false);
    step(HandoverStep.COMMIT);
  }

  /** Sends some connections of a loop; false if it has none that can move. */
  private boolean sendWindow(FrontLoop loop, Channel descriptors) throws IOException {
    List<ClientLink> frozen = FrontServer.on(loop, () -> loop.movable(size));
    if (frozen.isEmpty()) {
      return false;
    }
    List<Moving> window = freeze(loop, frozen);
    try {
      bounded(() -> {
        step(HandoverStep.WINDOW);
        out.writeInt(window.size());
        for (Moving moving : window) {
          moving.state().write(out);
        }
        out.flush();
      });
      send(descriptors, window.stream().flatMap(moving -> moving.sockets().stream()).toList());
      confirmed();
      step(HandoverStep.COMMIT);
    } catch (IOException | RuntimeException e) {
      abort();
      window.forEach(moving -> loop.executor().execute(moving.client()::thaw));
      throw e;
    }
    size = Math.min(WINDOW, 2 * size);
    return FrontServer.on(loop, () -> {
      window.forEach(moving -> moving.client().handedOver());
      return true;
    });
  }

  private interface Writing {
    void run() throws IOException;
  }

  /**
   * Writes, and ends the handover if the successor does not read in time. A blocking channel has no bound of its own.
   */
  private void bounded(Writing writing) throws IOException {
    ScheduledFuture<?> guard =
        server.handovers().schedule(this::closeControl, CONFIRM_BOUND.toMillis(), TimeUnit.MILLISECONDS);
    try {
      writing.run();
    } finally {
      guard.cancel(false);
    }
  }

  /** Stops work on connections of a loop; without those that have ended meanwhile. */
  static List<Moving> freeze(FrontLoop loop, List<ClientLink> clients) {
    List<CompletableFuture<Void>> stopped =
        FrontServer.on(loop, () -> clients.stream().map(ClientLink::freeze).map(HandoverSender::done).toList());
    CompletableFuture.allOf(stopped.toArray(CompletableFuture[]::new)).join();
    return FrontServer.on(loop, () -> {
      List<Moving> window = new ArrayList<>();
      for (ClientLink client : clients) {
        Optional<ConnectionState> state = client.state();
        if (state.isPresent()) {
          window.add(new Moving(client, state.get(), sockets(client)));
        } else {
          client.thaw();
        }
      }
      return window;
    });
  }

  private static CompletableFuture<Void> done(Future<?> future) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    future.addListener(ended -> done.complete(null));
    return done;
  }

  private static List<FileDescriptor> sockets(ClientLink client) {
    List<FileDescriptor> sockets = new ArrayList<>(2);
    sockets.add(((EpollSocketChannel) client.channel()).fd());
    ServerLink link = client.movingWith();
    if (link != null) {
      sockets.add(((EpollSocketChannel) link.channel()).fd());
    }
    return sockets;
  }

  private static void send(Channel descriptors, List<FileDescriptor> sockets) throws IOException {
    ChannelFuture last = descriptors.newSucceededFuture();
    for (FileDescriptor socket : sockets) {
      last = descriptors.write(socket);
    }
    descriptors.flush();
    if (!last.awaitUninterruptibly(CONFIRM_BOUND.toMillis()) || !last.isSuccess()) {
      throw new IOException("the successor does not take the sockets", last.cause());
    }
  }

  private void step(HandoverStep step) throws IOException {
    out.writeByte(step.code());
    out.flush();
  }

  /** Waits until the successor has received what was sent. */
  private void confirmed() throws IOException {
    CompletableFuture<HandoverStep> answer = new CompletableFuture<>();
    Thread.ofVirtual().name("handover-answer").start(() -> {
      try {
        answer.complete(HandoverStep.read(in));
      } catch (IOException e) {
        answer.completeExceptionally(e);
      }
    });
    try {
      HandoverStep step = answer.get(CONFIRM_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (step != HandoverStep.RECEIVED) {
        throw new IOException("the successor answers " + step);
      }
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new IOException("the successor does not confirm", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private void abort() {
    try {
      bounded(() -> step(HandoverStep.ABORT));
    } catch (IOException e) {
      LOG.log(Level.FINE, "the successor has ended", e);
    }
    closeControl();
  }

  private void closeControl() {
    try {
      control.close();
    } catch (IOException e) {
      LOG.log(Level.FINE, "the control connection could not be closed", e);
    }
  }
}
