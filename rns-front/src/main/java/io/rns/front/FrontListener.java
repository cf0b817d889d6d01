package io.rns.front;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The listening socket: gives each client to one of the loops. */
final class FrontListener extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = Logger.getLogger(FrontListener.class.getName());
  private static final int BACKLOG = 4_096;
  private static final long PAUSE_MILLIS = 200;

  private final List<FrontLoop> loops;
  private final EpollServerSocketChannel channel;
  private final @Nullable FrontTls tls;
  private int next;
  private volatile boolean accepting;

  private FrontListener(List<FrontLoop> loops, EpollServerSocketChannel channel, @Nullable FrontTls tls) {
    this.loops = loops;
    this.tls = tls;
    this.channel = channel;
    channel.config().setAutoRead(false);
    channel.config().setOption(ChannelOption.SO_REUSEADDR, true);
    channel.config().setBacklog(BACKLOG);
    channel.pipeline().addLast(this);
  }

  /**
   * A new socket.
   *
   * @param tls of its clients; null for plain HTTP
   * @throws java.io.IOException if the address cannot be bound
   */
  static FrontListener bind(List<FrontLoop> loops, InetSocketAddress address, @Nullable FrontTls tls)
      throws java.io.IOException {
    return bind(loops, address, tls, false);
  }

  /** A new socket of an address that this machine does not have yet. */
  static FrontListener bindAhead(List<FrontLoop> loops, InetSocketAddress address, @Nullable FrontTls tls)
      throws java.io.IOException {
    return bind(loops, address, tls, true);
  }

  private static FrontListener bind(List<FrontLoop> loops, InetSocketAddress address, @Nullable FrontTls tls,
      boolean ahead) throws java.io.IOException {
    FrontListener listener = new FrontListener(loops, new EpollServerSocketChannel(), tls);
    if (ahead) {
      listener.channel.config().setFreeBind(true);
    }
    listener.register();
    var bound = listener.channel.bind(address).awaitUninterruptibly();
    if (!bound.isSuccess()) {
      throw new java.io.IOException("cannot listen on " + address + ": " + bound.cause().getMessage(), bound.cause());
    }
    return listener;
  }

  /** The socket of another process, which does not accept here yet. */
  static FrontListener adopt(List<FrontLoop> loops, int descriptor, @Nullable FrontTls tls) {
    FrontListener listener = new FrontListener(loops, new EpollServerSocketChannel(descriptor), tls);
    listener.register();
    return listener;
  }

  private void register() {
    loops.getFirst().executor().register(channel).syncUninterruptibly();
  }

  /** Accepts clients, or leaves them to wait. Not by the thread of a loop. */
  void setAccepting(boolean wanted) {
    accepting = wanted;
    if (wanted && !channel.isRegistered()) {
      register();
    }
    channel.config().setAutoRead(wanted);
    if (!wanted) {
      // A read that was begun would accept one more, which belongs to the successor.
      channel.deregister().syncUninterruptibly();
    }
  }

  int port() {
    return channel.localAddress().getPort();
  }

  int descriptor() {
    return channel.fd().intValue();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    var unused = serve((Channel) message);
  }

  private ChannelFuture serve(Channel client) {
    FrontLoop loop = loops.get(next);
    next = (next + 1) % loops.size();
    FrontTls secured = tls;
    if (secured != null) {
      client.pipeline().addLast(secured.handler());
    }
    return register(loop, client, new ClientLink(loop, secured != null));
  }

  /**
   * Serves a client whose connection was accepted elsewhere.
   *
   * @param unread what it has sent
   */
  void serve(Channel client, byte[] unread) {
    if (!client.isActive()) {
      // The client has reset it. Netty never reports the end of a channel that begins with an error.
      client.unsafe().closeForcibly();
      return;
    }
    loops.getFirst().executor().execute(() -> serve(client).addListener(done -> {
      if (done.isSuccess() && unread.length > 0) {
        client.pipeline().fireChannelRead(Unpooled.wrappedBuffer(unread)).fireChannelReadComplete();
      }
    }));
  }

  /** Makes a socket that of a client. */
  static ChannelFuture register(FrontLoop loop, Channel client, ClientLink link) {
    ServerPool.limit(client);
    client.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
    client.pipeline().addLast(link);
    return loop.executor().register(client).addListener(done -> {
      if (!done.isSuccess()) {
        client.unsafe().closeForcibly();
      }
    });
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // Usually too many open files: those that wait are accepted when others have gone.
    LOG.log(Level.WARNING, () -> "a client could not be accepted: " + cause.getMessage());
    if (accepting) {
      channel.config().setAutoRead(false);
      var unused =
          context.channel().eventLoop().schedule(() -> channel.config().setAutoRead(accepting), PAUSE_MILLIS,
              TimeUnit.MILLISECONDS);
    }
  }

  void close() {
    accepting = false;
    channel.close().awaitUninterruptibly();
  }
}
