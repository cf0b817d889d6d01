package io.rns.front;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.rns.client.http.TlsTrust;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one event loop to servers, kept alive and bounded for each server: a server that answers slowly
 * occupies its own places only. Used by the thread of the loop only.
 */
final class ServerPool {
  /** What a channel buffers before its source stops being read, in bytes. */
  static final WriteBufferWaterMark BUFFERED = new WriteBufferWaterMark(16_384, 32_768);
  /** Bytes of one read. */
  static final int READ_BYTES = 16_384;

  private static final int CONNECT_MILLIS = 1_000;
  private static final int HANDSHAKE_MILLIS = 2_000;
  /** With fewer connections to a server, one address may have all. */
  private static final int LEAST_TO_SHARE = 4;
  /** Servers close idle connections after 120 s. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final FrontLoop loop;
  private final TlsTrust trust;
  private final int most;
  private final int mostWaiting;
  /** Connections to a server that the requests of one HTTP/2 connection may have; the others wait. */
  private final int share;
  /** The same for one client address: clients that read nothing leave some to others. */
  private final int addressShare;
  private final Map<FrontedServer, Places> places = new HashMap<>();
  /**
   * Where connections to servers come from; null for any address of this machine. Those from an address that moves are
   * reset, not closed: if the address goes before a server has confirmed the end, the kernel keeps the connection for
   * minutes, and refuses the successor's of the same port when the front comes back.
   */
  private @Nullable InetSocketAddress local;

  /** The places of one server. */
  private static final class Places {
    final ArrayDeque<ServerLink> idle = new ArrayDeque<>();
    final WaitingRequests waiting;
    final Map<Http2Link, Integer> shares = new HashMap<>();
    final Map<String, Integer> addressShares = new HashMap<>();
    int open;

    Places(int mostWaiting) {
      waiting = new WaitingRequests(mostWaiting);
    }
  }

  ServerPool(FrontLoop loop, TlsTrust trust, int most, int mostWaiting) {
    this.loop = loop;
    this.trust = trust;
    this.most = most;
    this.mostWaiting = mostWaiting;
    this.share = Math.max(1, most / 2);
    this.addressShare = most < LEAST_TO_SHARE ? most : most - Math.max(1, most / 8);
  }

  /** Has new connections come from an address that moves with the front, so that they can move, too. */
  void connectFrom(InetAddress address) {
    close();
    local = new InetSocketAddress(address, 0);
  }

  /** Maximum number of connections to a server. */
  int most() {
    return most;
  }

  private Places places(FrontedServer server) {
    return places.computeIfAbsent(server, absent -> new Places(mostWaiting));
  }

  /** Sends a request as soon as a connection is free. */
  void send(Exchange exchange, FrontedServer server) {
    Places own = places(server);
    boolean allowed = mayServe(own, exchange.client().address()) && mayTake(own, exchange);
    if (allowed && (own.open < most || !own.idle.isEmpty())) {
      serve(own, exchange, server);
    } else {
      Exchange refused = own.waiting.add(exchange);
      if (refused != null) {
        refused.crowded();
      }
    }
  }

  /** By an idle connection, or else a new one. */
  private void serve(Places own, Exchange exchange, FrontedServer server) {
    ServerLink link = own.idle.pollLast();
    if (link == null) {
      connect(own, exchange, server);
    } else {
      take(own, link, exchange.client());
      link.begin(exchange);
    }
  }

  private boolean mayServe(Places own, String address) {
    return own.addressShares.getOrDefault(address, 0) < addressShare;
  }

  private boolean mayTake(Places own, Exchange exchange) {
    Http2Link connection = exchange.client().connection();
    return connection == null || own.shares.getOrDefault(connection, 0) < share;
  }

  private static void take(Places own, ServerLink link, ClientLink holder) {
    link.holder(holder);
    int unused = own.addressShares.merge(holder.address(), 1, Integer::sum);
    if (holder.connection() != null) {
      unused = own.shares.merge(holder.connection(), 1, Integer::sum);
    }
  }

  private static void open(Places own, ServerLink link, ClientLink holder) {
    own.open++;
    link.takePlace();
    take(own, link, holder);
  }

  private static void giveBack(Places own, ServerLink link) {
    ClientLink holder = link.holder();
    link.holder(null);
    if (holder != null) {
      giveBack(own.addressShares, holder.address());
      if (holder.connection() != null) {
        giveBack(own.shares, holder.connection());
      }
    }
  }

  private static <T> void giveBack(Map<T, Integer> shares, T holder) {
    var unused = shares.computeIfPresent(holder, (each, count) -> count == 1 ? null : count - 1);
  }

  /** The next request that waits, and may have a connection; null if there is none. */
  private @Nullable Exchange next(Places own) {
    return own.waiting.next(address -> mayServe(own, address), waiting -> mayTake(own, waiting));
  }

  /** A request does not wait any more. */
  void forget(Exchange exchange, FrontedServer server) {
    boolean unused = places(server).waiting.remove(exchange);
  }

  /** Whether a request waits that could go on if this connection left its place. */
  boolean isWanted(ServerLink link) {
    Places own = places(link.server());
    ClientLink holder = link.holder();
    if (!link.isPlaced() || holder == null || own.waiting.isEmpty()) {
      return false;
    }
    giveBack(own, link);
    boolean wanted = own.waiting.any(address -> mayServe(own, address), waiting -> mayTake(own, waiting));
    take(own, link, holder);
    return wanted;
  }

  private void connect(Places own, Exchange exchange, FrontedServer server) {
    ServerLink link = new ServerLink(loop, server);
    open(own, link, exchange.client());
    SslHandler tls = server.isSecured() ? tls(server) : null;
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop.executor())
            .channel(EpollSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, BUFFERED)
            .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
            .handler(new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (tls != null) {
                  channel.pipeline().addLast(tls);
                }
                channel.pipeline().addLast(link);
              }
            });
    if (local != null) {
      bootstrap.localAddress(local).option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true)
          .option(ChannelOption.SO_LINGER, 0);
    }
    bootstrap.connect(server.address()).addListener(done -> {
      if (tls == null || !done.isSuccess()) {
        connected(exchange, link, done);
      } else {
        tls.handshakeFuture().addListener(agreed -> connected(exchange, link, agreed));
      }
    });
  }

  private SslHandler tls(FrontedServer server) {
    InetSocketAddress address = server.address();
    SslHandler tls = new SslHandler(trust.engine(server.url().getHost(), address.getPort()));
    tls.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
    return tls;
  }

  private void connected(Exchange exchange, ServerLink link, Future<?> done) {
    if (done.isSuccess()) {
      if (exchange.isOver()) {
        free(link);
      } else {
        link.begin(exchange);
      }
    } else {
      link.leavePlace();
      exchange.unreachable(String.valueOf(done.cause().getMessage()));
    }
  }

  /** A connection can serve another request. */
  void free(ServerLink link) {
    Places own = places(link.server());
    giveBack(own, link);
    Exchange next = next(own);
    if (next != null) {
      take(own, link, next.client());
      link.begin(next);
    } else {
      link.idleSince(System.nanoTime());
      own.idle.addLast(link);
    }
  }

  /** A connection has ended, or serves a stream for as long as that lasts. */
  void gone(ServerLink link) {
    Places own = places(link.server());
    own.open--;
    giveBack(own, link);
    own.idle.remove(link);
    serveNext(own, link.server());
  }

  /** A connection from another process, with a request of a client. */
  void adopted(ServerLink link, ClientLink client) {
    Places own = places(link.server());
    open(own, link, client);
    if (local != null && link.channel().isActive()) {
      link.channel().config().setOption(ChannelOption.SO_LINGER, 0);
    }
  }

  private void serveNext(Places own, FrontedServer server) {
    Exchange next = own.open < most || !own.idle.isEmpty() ? next(own) : null;
    if (next != null) {
      serve(own, next, server);
    }
  }

  /** Closes connections that were idle for long, and forgets servers without any. */
  void sweep(long now) {
    List<ServerLink> old = new ArrayList<>();
    for (Places own : places.values()) {
      own.idle.stream().filter(link -> now - link.idleSince() > IDLE_NANOS).forEach(old::add);
    }
    old.forEach(ServerLink::close);
    places.values().removeIf(own -> own.open == 0 && own.waiting.isEmpty());
  }

  /** Closes the connections without a request. */
  void close() {
    List<ServerLink> all = new ArrayList<>();
    places.values().forEach(own -> all.addAll(own.idle));
    all.forEach(ServerLink::close);
  }

  static void limit(Channel channel) {
    channel.config().setOption(ChannelOption.TCP_NODELAY, true);
    channel.config().setWriteBufferWaterMark(BUFFERED);
    channel.config().setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
  }
}
