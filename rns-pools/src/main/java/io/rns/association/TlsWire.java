package io.rns.association;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import tlschannel.ClientTlsChannel;
import tlschannel.HeapBufferAllocator;
import tlschannel.NeedsReadException;
import tlschannel.NeedsTaskException;
import tlschannel.NeedsWriteException;
import tlschannel.ServerTlsChannel;
import tlschannel.TlsChannel;
import tlschannel.TlsChannelBuilder;

/**
 * Bytes protected by TLS 1.3 or 1.2, with forward secrecy and authenticated encryption only, and without renegotiation.
 * Buffers have the size of a record; those that are empty are released.
 */
final class TlsWire implements Wire {
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
  private static final String[] SUITES = {
      "TLS_AES_128_GCM_SHA256",
      "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
      "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
      "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256"
  };

  /** Encrypted bytes read in one turn; with the rest of a record before them they fit into the reader's buffer. */
  private static final int TURN_BYTES = 32_768;

  /** Buffer of the library for a record. */
  private static final long RECORD_BYTES = 17_408;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final Opening OPEN = new Opening.Open();
  private static final Opening READING = new Opening.Reading();
  private static final Opening WRITING = new Opening.Writing();

  private final MeteredChannel channel;
  private final TlsChannel tls;
  private boolean unsent;
  private boolean sendsFirst;
  private boolean over;

  private TlsWire(MeteredChannel channel, TlsChannel tls) {
    this.channel = channel;
    this.tls = tls;
  }

  /** The side that a registrar, element or user has connected to. */
  static TlsWire accepting(SocketChannel from, Protocol protocol, AssociationTls tls) {
    MeteredChannel channel = new MeteredChannel(from);
    SSLContext context = tls.accepting(protocol);
    ServerTlsChannel.Builder builder =
        ServerTlsChannel.newBuilder(channel, context)
            .withEngineFactory(its -> serving(its, protocol, tls.asksForCertificates()));
    return new TlsWire(channel, set(builder).build());
  }

  /** The side that connects. */
  static TlsWire connecting(SocketChannel to, Protocol protocol, InetSocketAddress address, AssociationTls tls) {
    MeteredChannel channel = new MeteredChannel(to);
    SSLEngine engine =
        tls.connecting(protocol).createSSLEngine(address.getAddress().getHostAddress(), address.getPort());
    engine.setUseClientMode(true);
    engine.setSSLParameters(new SSLParameters(SUITES.clone(), PROTOCOLS.clone()));
    return new TlsWire(channel, set(ClientTlsChannel.newBuilder(channel, engine)).build());
  }

  private static SSLEngine serving(SSLContext context, Protocol protocol, boolean asks) {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    SSLParameters parameters = new SSLParameters(SUITES.clone(), PROTOCOLS.clone());
    parameters.setUseCipherSuitesOrder(true);
    if (protocol == Protocol.ENRP) {
      parameters.setNeedClientAuth(true);
    } else {
      parameters.setWantClientAuth(asks);
    }
    engine.setSSLParameters(parameters);
    return engine;
  }

  /** Other threads do what takes long; nobody waits for the other end to confirm a close. */
  private static <T extends TlsChannelBuilder<T>> T set(T builder) {
    HeapBufferAllocator heap = new HeapBufferAllocator();
    return builder.withRunTasks(false).withEncryptedBufferAllocator(heap).withPlainBufferAllocator(heap);
  }

  @Override
  public Opening open() throws IOException {
    channel.allow(TURN_BYTES);
    try {
      tls.handshake();
      return OPEN;
    } catch (NeedsReadException e) {
      return READING;
    } catch (NeedsWriteException e) {
      return WRITING;
    } catch (NeedsTaskException e) {
      return new Opening.Computing(e.getTask());
    } catch (SSLException e) {
      alert(e);
      throw e;
    } catch (RuntimeException e) {
      throw defect(e);
    }
  }

  /** What is wrong with one connection must not end the others. */
  private static IOException defect(RuntimeException e) {
    return new IOException("TLS failed", e);
  }

  /** Says why, as far as the network takes it at once. */
  private void alert(SSLException failure) {
    SSLEngine engine = tls.getSslEngine();
    if (engine == null) {
      return;
    }
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    try {
      if (engine.wrap(NOTHING.duplicate(), record).bytesProduced() > 0) {
        int unused = channel.write(record.flip());
      }
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    channel.allow(TURN_BYTES);
    int begin = target.position();
    try {
      while (!over && target.hasRemaining()) {
        over = tls.read(target) < 0;
      }
    } catch (NeedsReadException e) {
      // Nothing more can be read now.
    } catch (NeedsWriteException e) {
      // An answer to a new key; the rest of what came is read when it is sent.
      unsent = true;
      sendsFirst = true;
    } catch (NeedsTaskException e) {
      throw new SSLException("the other end wants to renegotiate", e);
    } catch (RuntimeException e) {
      throw defect(e);
    }
    int count = target.position() - begin;
    return count == 0 && over ? -1 : count;
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    int begin = source.position();
    try {
      int unused = tls.write(source);
      unsent = false;
      sendsFirst = false;
    } catch (NeedsWriteException e) {
      unsent = true;
    } catch (RuntimeException e) {
      throw defect(e);
    }
    return source.position() - begin;
  }

  @Override
  public boolean hasUnsent() {
    return unsent;
  }

  @Override
  public boolean sendsFirst() {
    return sendsFirst;
  }

  /** A record that has not come or gone completely; the library has no other that lasts. */
  @Override
  public long heldBytes() {
    return channel.bytesOfRecord() + (unsent ? RECORD_BYTES : 0);
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public List<X509Certificate> chain() {
    try {
      Certificate[] chain = tls.getSslEngine().getSession().getPeerCertificates();
      return List.of(Arrays.copyOf(chain, chain.length, X509Certificate[].class));
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      tls.close();
    } catch (RuntimeException e) {
      throw defect(e);
    } finally {
      channel.close();
    }
  }
}
