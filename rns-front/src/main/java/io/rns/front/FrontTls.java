package io.rns.front;

import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OptionalSslHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The clients' side of HTTPS: TLS 1.3 and 1.2, and only suites with forward secrecy and authenticated encryption, as at
 * servers. Changed files are presented to new connections; if they cannot be used, the former certificate stays.
 * Thread-safe.
 */
final class FrontTls {
  private static final Logger LOG = Logger.getLogger(FrontTls.class.getName());
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");
  private static final List<String> SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

  /** Clients that say no protocol, or only others, get HTTP/1.1. */
  private static final ApplicationProtocolConfig HTTP =
      new ApplicationProtocolConfig(
          ApplicationProtocolConfig.Protocol.ALPN, ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
          ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT, ApplicationProtocolNames.HTTP_2,
          ApplicationProtocolNames.HTTP_1_1);

  private final FrontSettings.Certificate files;
  private final Duration handshake;
  private final boolean asks;
  private volatile Loaded loaded;
  private volatile long looked;

  /** A certificate, and what its files were when it was read. */
  private record Loaded(SslContext context, FileTime chain, FileTime key) {}

  /**
   * Reads the files.
   *
   * @param handshake how long a client may take for it
   * @param asks whether clients are asked for a certificate; they need not have one
   * @throws IOException if they cannot be used; the message names them
   */
  FrontTls(FrontSettings.Certificate files, Duration handshake, boolean asks) throws IOException {
    this.files = files;
    this.handshake = handshake;
    this.asks = asks;
    this.loaded = load();
    this.looked = System.nanoTime();
  }

  private Loaded load() throws IOException {
    FileTime chain = Files.getLastModifiedTime(files.chain());
    FileTime key = Files.getLastModifiedTime(files.key());
    try {
      SslContextBuilder builder =
          SslContextBuilder.forServer(files.chain().toFile(), files.key().toFile()).sslProvider(SslProvider.JDK)
              .protocols(PROTOCOLS).ciphers(SUITES).applicationProtocolConfig(HTTP);
      if (asks) {
        // TLS proves that a client has its key, nothing more: CertificateCallers verify the chain, which may have
        // proxies.
        builder = builder.clientAuth(ClientAuth.OPTIONAL).trustManager(InsecureTrustManagerFactory.INSTANCE);
      }
      return new Loaded(builder.build(), chain, key);
    } catch (SSLException | IllegalArgumentException e) {
      throw new IOException(
          "the certificate " + files.chain() + " and its key " + files.key() + " cannot be used: " + e.getMessage(), e);
    }
  }

  private SslContext context() {
    if (System.nanoTime() - looked > LOOK_NANOS) {
      look();
    }
    return loaded.context();
  }

  /** Reads the files again if they have changed. */
  void look() {
    looked = System.nanoTime();
    try {
      if (!loaded.chain().equals(Files.getLastModifiedTime(files.chain()))
          || !loaded.key().equals(Files.getLastModifiedTime(files.key()))) {
        loaded = load();
        LOG.info(() -> "the certificate " + files.chain() + " was read again");
      }
    } catch (IOException e) {
      // Again at the next look: the files may be half written.
      LOG.log(Level.WARNING, "the former certificate stays: {0}", e.getMessage());
    }
  }

  /** The handler of a new connection, which refuses plain HTTP. */
  ChannelHandler handler() {
    return new OptionalSslHandler(context()) {
      private @Nullable ScheduledFuture<?> late;

      // The handshake has a limit of its own once it has begun.
      @Override
      public void handlerAdded(ChannelHandlerContext context) {
        late =
            context.executor().schedule(
                () -> {
                  var unused = context.close();
                }, handshake.toMillis(), TimeUnit.MILLISECONDS);
      }

      @Override
      protected void handlerRemoved0(ChannelHandlerContext context) {
        if (late != null) {
          boolean unused = late.cancel(false);
        }
      }

      @Override
      protected SslHandler newSslHandler(ChannelHandlerContext context, SslContext tls) {
        SslHandler handler = super.newSslHandler(context, tls);
        handler.setHandshakeTimeoutMillis(handshake.toMillis());
        return handler;
      }

      @Override
      protected ChannelHandler newNonSslHandler(ChannelHandlerContext context) {
        return new PlainHttpRefusal();
      }
    };
  }
}
