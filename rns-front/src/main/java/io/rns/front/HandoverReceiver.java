package io.rns.front;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Takes the sockets of another front on this machine over: the other side of {@link HandoverSender}. Used once. */
final class HandoverReceiver {
  private static final Logger LOG = Logger.getLogger(HandoverReceiver.class.getName());
  private static final Duration SOCKET_BOUND = Duration.ofSeconds(5);
  private static final Duration DEATH_BOUND = Duration.ofSeconds(2);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  private final FrontServer server;
  private final Path predecessor;
  private final Path path;
  private final BlockingQueue<FileDescriptor> sockets = new LinkedBlockingQueue<>();
  private int nextLoop;

  HandoverReceiver(FrontServer server, Path predecessor) {
    this.server = server;
    this.predecessor = predecessor;
    Path admin = server.settings().admin();
    this.path = admin.resolveSibling(admin.getFileName() + ".fd");
  }

  /**
   * A connection that was received and is not owned yet.
   *
   * @param clientEnded whether the client has sent its end, which cannot be read from its socket
   * @param serverEnded whether the server has
   */
  record Received(ConnectionState state, List<FileDescriptor> sockets, boolean clientEnded, boolean serverEnded) {}

  /**
   * Takes everything over.
   *
   * @throws IOException if the predecessor keeps its listening socket
   */
  void run() throws IOException {
    Files.deleteIfExists(path);
    Channel listening = listen();
    try (SocketChannel control = SocketChannel.open(UnixDomainSocketAddress.of(predecessor));
        DataInputStream in =
            new DataInputStream(new java.io.BufferedInputStream(Channels.newInputStream(control), 65_536));
        DataOutputStream out = new DataOutputStream(Channels.newOutputStream(control))) {
      out.write(("takeover " + HandoverStep.FORMAT + " " + path + "\n").getBytes(StandardCharsets.UTF_8));
      long pid = in.readLong();
      if (pid == HandoverSender.REFUSED) {
        throw new IOException("the predecessor does not hand over: " + in.readUTF());
      }
      takeListener(in, out, pid);
      try {
        takeClients(in, out, pid);
      } catch (IOException e) {
        // The predecessor has ended, or keeps the rest and its listening socket: this one serves what it has.
        if (isAlive(pid)) {
          throw e;
        }
        LOG.warning("the predecessor ended before it had handed over all of its connections: " + e.getMessage());
      }
    } finally {
      listening.close().awaitUninterruptibly();
      Files.deleteIfExists(path);
      sockets.forEach(HandoverReceiver::drop);
    }
  }

  private Channel listen() throws IOException {
    ChannelFuture bound =
        new ServerBootstrap()
            .group(server.handovers())
            .channel(EpollServerDomainSocketChannel.class)
            .childOption(EpollChannelOption.DOMAIN_SOCKET_READ_MODE, DomainSocketReadMode.FILE_DESCRIPTORS)
            .childHandler(new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(new SocketQueue());
              }
            })
            .bind(new DomainSocketAddress(path.toString()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new IOException("cannot listen on " + path + ": " + bound.cause().getMessage(), bound.cause());
    }
    return bound.channel();
  }

  private final class SocketQueue extends ChannelInboundHandlerAdapter {
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof FileDescriptor socket) {
        sockets.add(socket);
      }
    }
  }

  private void takeListener(DataInputStream in, DataOutputStream out, long pid) throws IOException {
    if (HandoverStep.read(in) != HandoverStep.LISTENER) {
      throw new IOException("the predecessor does not hand over");
    }
    FileDescriptor socket = socket();
    if (!isOwner(in, out, pid)) {
      drop(socket);
      throw new IOException("the predecessor keeps its listening socket");
    }
    server.serve(FrontListener.adopt(server.loops(), socket.intValue(), server.tls()));
  }

  private void takeClients(DataInputStream in, DataOutputStream out, long pid) throws IOException {
    while (true) {
      switch (HandoverStep.read(in)) {
        case WINDOW -> {
          List<Received> window = new ArrayList<>();
          try {
            receive(in, window);
          } catch (IOException e) {
            window.forEach(each -> each.sockets().forEach(HandoverReceiver::drop));
            throw e;
          }
          if (!isOwner(in, out, pid)) {
            window.forEach(each -> each.sockets().forEach(HandoverReceiver::drop));
            throw new IOException("the predecessor keeps its connections");
          }
          window.forEach(this::adopt);
        }
        case DONE -> {
          received(out);
          return;
        }
        default -> throw new IOException("the predecessor keeps its connections");
      }
    }
  }

  private void receive(DataInputStream in, List<Received> window) throws IOException {
    int size = in.readInt();
    if (size < 0 || size > HandoverSender.WINDOW) {
      throw new IOException("a window of " + size + " connections");
    }
    List<ConnectionState> states = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      states.add(ConnectionState.read(in));
    }
    for (ConnectionState state : states) {
      List<FileDescriptor> own = new ArrayList<>(2);
      window.add(new Received(state, own, false, false));
      for (int i = 0; i < state.sockets(); i++) {
        own.add(socket());
      }
    }
  }

  private FileDescriptor socket() throws IOException {
    try {
      FileDescriptor socket = sockets.poll(SOCKET_BOUND.toMillis(), TimeUnit.MILLISECONDS);
      if (socket == null) {
        throw new IOException("a socket did not arrive");
      }
      return socket;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void received(DataOutputStream out) throws IOException {
    out.writeByte(HandoverStep.RECEIVED.code());
    out.flush();
  }

  /** Confirms what was received; whether it is this process's: committed, or left by a predecessor that has ended. */
  private static boolean isOwner(DataInputStream in, DataOutputStream out, long pid) {
    try {
      received(out);
    } catch (IOException e) {
      // What it has said before can be read still.
      LOG.log(Level.FINE, "the predecessor has closed the connection", e);
    }
    try {
      return HandoverStep.read(in) == HandoverStep.COMMIT;
    } catch (IOException e) {
      // The end, or a reset if a predecessor was killed before it read the confirmation.
      return !isAlive(pid);
    }
  }

  /** Whether the predecessor still runs; one that was killed takes a moment to end. */
  private static boolean isAlive(long pid) {
    long end = System.nanoTime() + DEATH_BOUND.toNanos();
    boolean alive = true;
    while (alive && System.nanoTime() - end < 0) {
      alive = pid == ProcessHandle.current().pid() || ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
      if (alive) {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
    return alive;
  }

  private static void drop(FileDescriptor socket) {
    try {
      socket.close();
    } catch (IOException e) {
      LOG.fine("a socket could not be closed: " + e.getMessage());
    }
  }

  private void adopt(Received received) {
    List<FrontLoop> loops = server.loops();
    FrontLoop loop = loops.get(nextLoop);
    nextLoop = (nextLoop + 1) % loops.size();
    loop.executor().execute(() -> adopt(server.directory(), loop, received));
  }

  /** Continues a connection, by the thread of its loop. */
  static void adopt(ServerDirectory directory, FrontLoop loop, Received received) {
    EpollSocketChannel client = new EpollSocketChannel(received.sockets().getFirst().intValue());
    if (!client.isActive()) {
      // The client has reset it. Netty never reports the end of a channel that begins with an error.
      received.sockets().forEach(HandoverReceiver::drop);
      return;
    }
    PendingRequest pending = received.state().request();
    PendingAnswer answer = pending == null ? null : pending.answer();
    if (answer == null) {
      register(loop, client, received, null);
      return;
    }
    EpollSocketChannel channel = ofServer(received.sockets().get(1).intValue());
    ServerPool.limit(channel);
    channel.config().setAutoRead(false);
    ServerLink link = new ServerLink(loop, directory.at(answer.server()));
    channel.pipeline().addLast(link);
    loop.executor().register(channel).addListener(done -> register(loop, client, received, link));
  }

  /** A connection to a server; if the server has reset it, its end is reported behind what it sent before. */
  private static EpollSocketChannel ofServer(int socket) {
    EpollSocketChannel channel = new EpollSocketChannel(socket);
    // The first channel has read the error, and so cleared it.
    return channel.isActive() ? channel : new EpollSocketChannel(socket);
  }

  private static void register(FrontLoop loop, EpollSocketChannel client, Received received,
      @Nullable ServerLink serverLink) {
    ClientLink link = new ClientLink(loop, false);
    client.config().setAutoRead(false);
    FrontListener.register(loop, client, link).addListener(done -> {
      if (done.isSuccess()) {
        link.adopt(received.state(), serverLink, received.serverEnded());
        client.config().setAutoRead(true);
        if (received.clientEnded() || received.state().ended()) {
          client.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        }
        if (received.serverEnded() && serverLink != null) {
          serverLink.close();
        }
      } else if (serverLink != null) {
        serverLink.close();
      }
    });
  }
}
