package io.rns.server.store;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * The tables {@code request_log} and {@code answer_log}: what was answered to requests with an id, so that a repetition
 * gets it again.
 *
 * <p>Answers given together stand in one row of {@code answer_log}; {@code request_log} says which. So a request costs
 * one short row, and old ones are found in the order of their answers without an index by time.
 *
 * <p>The form of a row: per request the length of its key (1 byte, never 0), the key, the length of the fingerprint
 * (1), the fingerprint, the length of the answer (4), the answer. What of the last answer is beyond
 * {@link #PIECE_BYTES} goes on in the rows with the next numbers, which begin with a byte 0: statements and columns
 * have limits, answers have a greater one.
 */
public final class RequestLogTable {
  private static final String INSERT = "INSERT INTO request_log (request_id, answers_id) VALUES ";
  private static final String INSERT_ANSWERS =
      "INSERT INTO answer_log (answers_id, answered_at, answers) VALUES (?, ?, ?)";
  private static final String SELECT = "SELECT answers_id FROM request_log WHERE request_id IN (";
  private static final String SELECT_ANSWERS = "SELECT answers_id, answers FROM answer_log WHERE answers_id IN (";
  private static final String SELECT_PIECES =
      "SELECT answers FROM answer_log WHERE answers_id > ? AND answers_id <= ? ORDER BY answers_id";
  private static final String OLDEST =
      """
      SELECT answers_id, answered_at, IF(LEFT(answers, 1) = X'00', X'00', answers), LENGTH(answers) FROM answer_log
      WHERE answers_id > ? ORDER BY answers_id LIMIT ?
      """;
  private static final String DELETE = "DELETE FROM request_log WHERE request_id IN (";
  private static final String DELETE_ANSWERS = "DELETE FROM answer_log WHERE answers_id IN (";

  /** When a row of answers is full, in bytes. */
  private static final int ROW_BYTES = 64 << 10;

  /**
   * Bytes of one answer in a row at most: well below what databases accept in one statement (max_allowed_packet, from
   * 16 MiB on).
   */
  private static final int PIECE_BYTES = 1 << 20;

  /** First byte of a row that goes on with the one before; the length of a key is never 0. */
  private static final int CONTINUES = 0;

  /** Bytes of answers that are forgotten by one step, about: the database logs what it deletes. */
  private static final long SWEEP_BYTES = 32 << 20;

  /** How many rows of answers are forgotten by one statement at most. */
  private static final int SWEEP_ROWS = 100;

  private RequestLogTable() {}

  /**
   * One answered request.
   *
   * @param key the id the caller gave, and who it is
   * @param fingerprint 32 bytes that show whether a repetition is the same request
   * @param answer the answer in the writer's form
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere; a copy per request would only cost
  public record AnsweredRequest(RequestKey key, byte[] fingerprint, byte[] answer) {}

  /** The answered ones among the requests. */
  public static Map<RequestKey, AnsweredRequest> find(Connection connection, Collection<RequestKey> keys)
      throws SQLException {
    Map<RequestKey, AnsweredRequest> found = new HashMap<>();
    if (keys.isEmpty()) {
      return found;
    }
    Collection<Long> answersIds = answersIds(connection, keys);
    if (answersIds.isEmpty()) {
      return found;
    }
    Map<Long, Stored> cut = new HashMap<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT_ANSWERS + marks(answersIds.size()) + ")")) {
      select.setFetchSize(Integer.MIN_VALUE); // row by row: most of what they have is not asked for
      int parameter = 1;
      for (long answersId : answersIds) {
        select.setLong(parameter++, answersId);
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          for (Stored stored : read(row.getBytes(2))) {
            AnsweredRequest request = stored.request();
            if (keys.contains(request.key())) {
              found.put(request.key(), request);
              if (stored.missing() > 0) {
                cut.put(row.getLong(1), stored);
              }
            }
          }
        }
      }
    }
    for (Map.Entry<Long, Stored> each : cut.entrySet()) {
      readPieces(connection, each.getKey(), each.getValue());
    }
    return found;
  }

  /** Rows that are read at a time: first few, since each may have a megabyte; as many as that if they are small. */
  public static final int FEW_ROWS = 8;

  private static final int MANY_ROWS = 4_096;

  /** What is read at a time, about. */
  private static final long PAGE_BYTES = 8 << 20;

  /** The largest answer that is read with others: one message to another server group carries it. */
  private static final int LARGEST_BYTES = 4 << 20;

  private static final String SELECT_ENDS = "SELECT MIN(answers_id), MAX(answers_id) FROM answer_log";
  private static final String SELECT_NEXT =
      "SELECT answers_id, answered_at FROM answer_log WHERE answers_id > ? ORDER BY answers_id LIMIT 1";
  private static final String SELECT_AFTER =
      """
      SELECT answers_id, IF(LEFT(answers, 1) = X'00', X'00', answers) FROM answer_log
      WHERE answers_id > ? ORDER BY answers_id LIMIT ?
      """;

  /**
   * The number of a row up to which all are older than a time; the next one is not. Rows have the order of their times
   * unless a clock was put back: then one of the places where the times pass that one, and what is before was given
   * earlier.
   */
  public static long before(Connection connection, Instant since) throws SQLException {
    long last;
    long most;
    try (PreparedStatement select = connection.prepareStatement(SELECT_ENDS); ResultSet row = select.executeQuery()) {
      row.next();
      last = row.getLong(1) - 1;
      most = row.getLong(2);
      if (row.wasNull()) {
        return 0;
      }
    }
    try (PreparedStatement select = connection.prepareStatement(SELECT_NEXT)) {
      // Up to the last they are older; behind most is none, or it is not.
      while (last < most) {
        long middle = last + (most - last) / 2;
        select.setLong(1, middle);
        try (ResultSet row = select.executeQuery()) {
          row.next();
          if (row.getLong(2) < EntryTable.micros(since)) {
            last = row.getLong(1);
          } else {
            most = middle;
          }
        }
      }
    }
    return last;
  }

  /**
   * Answers in the order in which they were given.
   *
   * @param last the number of the last row that they come from
   * @param next how many rows are to be read next
   */
  public record Given(List<AnsweredRequest> requests, long last, int next) {}

  /**
   * Some that follow one another, of about 8 MiB at most; the last number is the known one if there are no more. An
   * answer of more than 4 MiB is not among them.
   *
   * @param after the number of the last row that is known
   * @param rows how many are read at most
   */
  public static Given after(Connection connection, long after, int rows) throws SQLException {
    List<AnsweredRequest> requests = new ArrayList<>();
    Map<Long, Stored> cut = new HashMap<>();
    long last = after;
    long bytes = 0;
    int taken = 0;
    try (PreparedStatement select = connection.prepareStatement(SELECT_AFTER)) {
      select.setFetchSize(Integer.MIN_VALUE); // row by row: they may be larger than those before
      select.setLong(1, after);
      select.setInt(2, rows);
      try (ResultSet row = select.executeQuery()) {
        while (bytes < PAGE_BYTES && row.next()) {
          last = row.getLong(1);
          byte[] answers = row.getBytes(2);
          if (answers[0] != CONTINUES) {
            for (Stored stored : read(answers)) {
              if (stored.missing() == 0 || stored.request().answer().length <= LARGEST_BYTES) {
                requests.add(stored.request());
                bytes += stored.missing();
                if (stored.missing() > 0) {
                  cut.put(last, stored);
                }
              }
            }
          }
          bytes += answers.length;
          taken++;
        }
      }
    }
    for (Map.Entry<Long, Stored> each : cut.entrySet()) {
      readPieces(connection, each.getKey(), each.getValue());
    }
    // The database sends all rows, also those that are not taken: many only after many that were small.
    int next = bytes < PAGE_BYTES ? Math.min(MANY_ROWS, rows * FEW_ROWS) : Math.max(FEW_ROWS, taken);
    return new Given(requests, last, next);
  }

  /** Answers in the form of a row, however many bytes. */
  public static byte[] write(List<AnsweredRequest> requests) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (AnsweredRequest request : requests) {
      writeHead(bytes, request);
      bytes.writeBytes(request.answer());
    }
    return bytes.toByteArray();
  }

  /** The answers of {@link #write}. */
  public static List<AnsweredRequest> readAll(byte[] bytes) {
    return read(bytes).stream().map(Stored::request).toList();
  }

  private static Collection<Long> answersIds(Connection connection, Collection<RequestKey> keys) throws SQLException {
    Collection<Long> found = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT + marks(keys.size()) + ")")) {
      int parameter = 1;
      for (RequestKey key : keys) {
        select.setBytes(parameter++, key.bytes());
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(row.getLong(1));
        }
      }
    }
    return found;
  }

  private static String marks(int count) {
    return "?" + ", ?".repeat(count - 1);
  }

  /** Lets other answers be given to requests; what was answered before stays in its row as long as that. */
  public static void forget(Statements statements, Collection<RequestKey> requests) throws SQLException {
    if (!requests.isEmpty()) {
      statements.add(
          DELETE + marks(requests.size()) + ")", requests.stream().map(RequestKey::bytes).toArray());
    }
  }

  /** How many numbers the rows of these answers take at most. */
  public static long rows(List<AnsweredRequest> requests) {
    return requests.stream().mapToLong(request -> 1 + request.answer().length / PIECE_BYTES).sum();
  }

  /**
   * Remembers answers; a key that is known is an error.
   *
   * @param lastAnswers the number of the last row of answers
   * @return the number of the last row of answers now
   */
  public static long insert(Statements statements, long lastAnswers, Instant time, List<AnsweredRequest> requests)
      throws SQLException {
    long answersId = lastAnswers;
    int from = 0;
    while (from < requests.size()) {
      // All of the row but the last answer, which may be large.
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      byte[] lastAnswer = {};
      int to = from;
      while (to < requests.size() && bytes.size() + lastAnswer.length < ROW_BYTES) {
        bytes.writeBytes(lastAnswer);
        AnsweredRequest request = requests.get(to++);
        writeHead(bytes, request);
        lastAnswer = request.answer();
      }
      long first = answersId + 1;
      answersId = insertRow(statements, answersId, time, bytes, lastAnswer);
      Statements.Rows rows = statements.insert(INSERT);
      for (AnsweredRequest request : requests.subList(from, to)) {
        rows.add(request.key().bytes(), first);
      }
      from = to;
    }
    return answersId;
  }

  private static long insertRow(
      Statements statements, long lastAnswers, Instant time, ByteArrayOutputStream bytes, byte[] lastAnswer)
      throws SQLException {
    long answersId = lastAnswers;
    int written = Math.min(lastAnswer.length, PIECE_BYTES);
    bytes.write(lastAnswer, 0, written);
    statements.add(INSERT_ANSWERS, ++answersId, EntryTable.micros(time), bytes.toByteArray());
    while (written < lastAnswer.length) {
      int length = Math.min(PIECE_BYTES, lastAnswer.length - written);
      byte[] piece = new byte[1 + length];
      piece[0] = CONTINUES;
      System.arraycopy(lastAnswer, written, piece, 1, length);
      statements.add(INSERT_ANSWERS, ++answersId, EntryTable.micros(time), piece);
      written += length;
    }
    return answersId;
  }

  private static void writeHead(ByteArrayOutputStream bytes, AnsweredRequest request) {
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] key = request.key().bytes();
      out.writeByte(key.length);
      out.write(key);
      out.writeByte(request.fingerprint().length);
      out.write(request.fingerprint());
      out.writeInt(request.answer().length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * A request of a row.
   *
   * @param missing bytes at the end of its answer that are in the rows behind; only of the last one
   */
  private record Stored(AnsweredRequest request, int missing) {}

  private static List<Stored> read(byte[] column) {
    return read(column, true);
  }

  private static List<Stored> read(byte[] column, boolean withAnswers) {
    List<Stored> requests = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(column);
    while (in.hasRemaining()) {
      RequestKey key = RequestKey.ofBytes(next(in, in.get()));
      byte[] fingerprint = next(in, in.get());
      int length = in.getInt();
      int here = Math.min(length, in.remaining());
      byte[] answer = new byte[withAnswers ? length : 0];
      if (withAnswers) {
        in.get(answer, 0, here);
      } else {
        in.position(in.position() + here);
      }
      requests.add(new Stored(new AnsweredRequest(key, fingerprint, answer), length - here));
    }
    return requests;
  }

  private static byte[] next(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  /** Reads the end of an answer from the rows behind the one it begins in. */
  private static void readPieces(Connection connection, long answersId, Stored cut) throws SQLException {
    byte[] answer = cut.request().answer();
    int missing = cut.missing();
    long last = answersId + (missing + PIECE_BYTES - 1L) / PIECE_BYTES;
    try (PreparedStatement select = connection.prepareStatement(SELECT_PIECES)) {
      select.setFetchSize(Integer.MIN_VALUE);
      select.setLong(1, answersId);
      select.setLong(2, last);
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          byte[] piece = row.getBytes(1);
          System.arraycopy(piece, 1, answer, answer.length - missing, piece.length - 1);
          missing -= piece.length - 1;
        }
      }
    }
    if (missing != 0) {
      throw new IllegalStateException("the answer " + answersId + " lacks " + missing + " bytes");
    }
  }

  /**
   * Forgets the oldest answers, row by row, until {@code step} requests or more are forgotten.
   *
   * @param after the last row that is known to be deleted with all before it: the database passes over deleted rows one
   *        by one as long as an old snapshot, such as that of a backup, shows them
   * @param time answers from this time on are kept
   */
  public static SweptLog sweep(Connection connection, long after, Instant time, int step) throws SQLException {
    long last = after;
    int forgotten = 0;
    long bytes = 0;
    int rows = 1;
    while (forgotten < step && bytes < SWEEP_BYTES) {
      SweptRows swept = sweepRows(connection, last, time, rows, SWEEP_BYTES - bytes);
      if (swept.rows() == 0) {
        return new SweptLog(last, false);
      }
      last = swept.last();
      forgotten += swept.requests();
      bytes += swept.bytes();
      // As many as the rest will need if it is like the last ones: a row has one request, or hundreds.
      rows = Math.clamp((long) (step - forgotten) * swept.rows() / Math.max(1, swept.requests()), 1, SWEEP_ROWS);
    }
    return new SweptLog(last, true);
  }

  private record SweptRows(long last, int rows, int requests, long bytes) {}

  private static SweptRows sweepRows(Connection connection, long after, Instant time, int rows, long mostBytes)
      throws SQLException {
    List<Object> answersIds = new ArrayList<>();
    List<Object> keys = new ArrayList<>();
    long last = after;
    long bytes = 0;
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setFetchSize(Integer.MIN_VALUE); // row by row: one may have megabytes
      select.setLong(1, after);
      select.setInt(2, rows);
      try (ResultSet row = select.executeQuery()) {
        while (bytes < mostBytes && row.next() && row.getLong(2) < EntryTable.micros(time)) {
          last = row.getLong(1);
          answersIds.add(last);
          byte[] answers = row.getBytes(3);
          if (answers[0] != CONTINUES) {
            read(answers, false).forEach(stored -> keys.add(stored.request().key().bytes()));
          }
          bytes += row.getLong(4);
        }
      }
    }
    int requests = keys.size();
    if (!answersIds.isEmpty()) {
      Statements statements = new Statements(connection);
      if (!keys.isEmpty()) {
        // A request may have a later answer by now, which is kept for its own time.
        keys.add(last);
        statements.add(DELETE + marks(requests) + ") AND answers_id <= ?", keys.toArray());
      }
      statements.add(DELETE_ANSWERS + marks(answersIds.size()) + ")", answersIds.toArray());
      statements.execute();
    }
    return new SweptRows(last, answersIds.size(), requests, bytes);
  }
}
