package io.rns.server.dns;

import io.rns.network.ClientNetwork;
import io.rns.server.access.LineLog;
import io.rns.server.access.LineLogSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/**
 * Logs questions as a trace for replays, a line each: milliseconds since 1970, client, type and name. Answers never
 * wait for it: lines in excess of the write rate are dropped and counted.
 *
 * <p>A client is a keyed hash of its network address, the same for all servers with one secret.
 *
 * <p>Safe for use by many threads.
 */
final class QuestionLog implements AutoCloseable {
  /** The first line of each file. */
  static final String HEADER = "# milliseconds, client, type, name";

  private static final String ALGORITHM = "HmacSHA256";
  private static final int CLIENT_BYTES = 8;
  private static final double MILLIS = 1e3;
  private static final double NANOS = 1e6;

  private final LineLog lines;
  private final InstantSource clock;
  /** For the writing thread only. */
  private final Mac mac;

  private QuestionLog(LineLog lines, InstantSource clock, Mac mac) {
    this.lines = lines;
    this.clock = clock;
    this.mac = mac;
  }

  /**
   * Opens the log and starts writing.
   *
   * @param secret key of the hashes of clients
   * @throws IOException if the file cannot be written, or another server writes it
   */
  static QuestionLog start(LineLogSettings settings, String secret, InstantSource clock) throws IOException {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      return new QuestionLog(LineLog.start("DNS log", settings, HEADER), clock, mac);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /** Logs a question that has just arrived. */
  void log(InetAddress client, Record question) {
    Instant now = clock.instant();
    lines.take(() -> line(now, client, question));
  }

  private String line(Instant time, InetAddress client, Record question) {
    // Host names of the zone have hashes of addresses with the same secret, which nobody may read here.
    byte[] hash = mac.doFinal(("client " + ClientNetwork.of(client)).getBytes(StandardCharsets.UTF_8));
    return String.format(
        Locale.ROOT, "%.3f\t%s\t%s\t%s", time.getEpochSecond() * MILLIS + time.getNano() / NANOS,
        HexFormat.of().formatHex(hash, 0, CLIENT_BYTES), Type.string(question.getType()), question.getName());
  }

  /** Number of questions missing in the log. */
  long dropped() {
    return lines.dropped();
  }

  /** Writes the waiting lines, within 10 s, and closes the file. */
  @Override
  public void close() {
    lines.close();
  }
}
