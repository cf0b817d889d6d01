package io.rns.front;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Objects;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A connection between two fronts on different machines that share the secret of their servers: encrypted, and each
 * record proves that who has sent it has the secret, in this connection and order (AES-GCM, keys from the secret and a
 * random number of either side). Used by one thread; {@link #close} by any.
 */
final class SealedChannel implements AutoCloseable {
  private static final byte[] GREETING =
      ("RNS front " + HandoverStep.FORMAT + "\n").getBytes(StandardCharsets.US_ASCII);
  private static final int NONCE_BYTES = 32;
  private static final int TAG_BITS = 128;
  private static final int COUNTER_BYTES = 12;
  private static final int WARM_UPS = 32;
  private static final int MOST_PLAIN = 65_536;
  private static final int MOST_SEALED = MOST_PLAIN + TAG_BITS / Byte.SIZE;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  private SealedChannel(Socket socket, String secret, boolean caller) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    DataInputStream plainIn = new DataInputStream(new BufferedInputStream(socket.getInputStream(), MOST_PLAIN));
    DataOutputStream plainOut = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), MOST_SEALED));
    byte[] own = new byte[NONCE_BYTES];
    new SecureRandom().nextBytes(own);
    plainOut.write(GREETING);
    plainOut.write(own);
    plainOut.flush();
    byte[] greeting = new byte[GREETING.length];
    byte[] other = new byte[NONCE_BYTES];
    plainIn.readFully(greeting);
    if (ByteBuffer.wrap(greeting).mismatch(ByteBuffer.wrap(GREETING)) >= 0) {
      throw new IOException("the other side is no front, or has another version");
    }
    plainIn.readFully(other);
    byte[] first = caller ? own : other;
    byte[] second = caller ? other : own;
    SecretKeySpec fromCaller = key(secret, "caller", first, second);
    SecretKeySpec toCaller = key(secret, "called", first, second);
    in = new DataInputStream(new Unsealing(plainIn, caller ? toCaller : fromCaller));
    out = new DataOutputStream(
        new BufferedOutputStream(new Sealing(plainOut, caller ? fromCaller : toCaller), MOST_PLAIN));
  }

  /**
   * Calls a front that waits.
   *
   * @param bound for the connection, and for each answer later
   */
  static SealedChannel call(InetSocketAddress address, String secret, Duration bound) throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(address, Math.toIntExact(bound.toMillis()));
      socket.setSoTimeout(Math.toIntExact(bound.toMillis()));
      return new SealedChannel(socket, secret, true);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Answers a call; the caller closes the socket if this fails. */
  static SealedChannel answer(Socket socket, String secret) throws IOException {
    return new SealedChannel(socket, secret, false);
  }

  private static SecretKeySpec key(String secret, String direction, byte[] first, byte[] second) throws IOException {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update(("RNS migration of a front, " + direction).getBytes(StandardCharsets.US_ASCII));
      mac.update(first);
      mac.update(second);
      return new SecretKeySpec(mac.doFinal(), "AES");
    } catch (GeneralSecurityException e) {
      throw new IOException("no key can be derived", e);
    }
  }

  /** Sends bytes that mean nothing, so that later ones do not wait for code that runs for the first time. */
  void warmUp() throws IOException {
    for (int i = 0; i < WARM_UPS; i++) {
      out.write(new byte[MOST_PLAIN]);
    }
    out.flush();
  }

  /** Receives them. */
  void skipWarmUp() throws IOException {
    in.skipNBytes((long) WARM_UPS * MOST_PLAIN);
  }

  DataInputStream in() {
    return in;
  }

  DataOutputStream out() {
    return out;
  }

  /** The address that this side has in the connection. */
  InetAddress localAddress() {
    return socket.getLocalAddress();
  }

  private static Cipher cipher(int mode, SecretKeySpec key, long count) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    byte[] counter = ByteBuffer.allocate(COUNTER_BYTES).putLong(Integer.BYTES, count).array();
    cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, counter));
    return cipher;
  }

  /** Each write of a buffer is a record. */
  private static final class Sealing extends OutputStream {
    private final DataOutputStream to;
    private final SecretKeySpec key;
    private long count;

    Sealing(DataOutputStream to, SecretKeySpec key) {
      this.to = to;
      this.key = key;
    }

    @Override
    public void write(int octet) throws IOException {
      write(new byte[]{(byte) octet}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      for (int at = from; at < from + length; at += MOST_PLAIN) {
        try {
          byte[] sealed =
              cipher(Cipher.ENCRYPT_MODE, key, count++).doFinal(bytes, at, Math.min(MOST_PLAIN, from + length - at));
          to.writeInt(sealed.length);
          to.write(sealed);
        } catch (GeneralSecurityException e) {
          throw new IOException("a record cannot be sealed", e);
        }
      }
    }

    @Override
    public void flush() throws IOException {
      to.flush();
    }
  }

  private static final class Unsealing extends InputStream {
    private final DataInputStream from;
    private final SecretKeySpec key;
    private byte[] record = {};
    private int at;
    private long count;

    Unsealing(DataInputStream from, SecretKeySpec key) {
      this.from = from;
      this.key = key;
    }

    @Override
    public int read() throws IOException {
      return hasMore() ? record[at++] & 0xff : -1;
    }

    @Override
    public int read(byte[] into, int start, int length) throws IOException {
      Objects.checkFromIndexSize(start, length, into.length);
      if (!hasMore()) {
        return -1;
      }
      int some = Math.min(length, record.length - at);
      System.arraycopy(record, at, into, start, some);
      at += some;
      return some;
    }

    private boolean hasMore() throws IOException {
      try {
        while (at == record.length) {
          record = next();
          at = 0;
        }
        return true;
      } catch (EOFException e) {
        return false;
      }
    }

    private byte[] next() throws IOException {
      int length = from.readInt();
      if (length <= 0 || length > MOST_SEALED) {
        throw new IOException("a record of " + length + " bytes");
      }
      byte[] sealed = new byte[length];
      from.readFully(sealed);
      try {
        return cipher(Cipher.DECRYPT_MODE, key, count++).doFinal(sealed);
      } catch (GeneralSecurityException e) {
        throw new IOException("the other side does not have the same secret", e);
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
