package io.rns.server.store;

import io.rns.api.RequestId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
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
 * <p>Answers given together stand in one row of {@code answer_log}; {@code request_log} says which. So a request costs one
 * short row, and old ones are found in the order of their answers without an index by time.
 */
public final class RequestLogTable {
  private static final String INSERT = "INSERT INTO request_log (request_id, answers_id) VALUES ";
  private static final String INSERT_ANSWERS =
      "INSERT INTO answer_log (answers_id, answered_at, answers) VALUES (?, ?, ?)";
  private static final String SELECT = "SELECT answers_id FROM request_log WHERE request_id IN (";
  private static final String SELECT_ANSWERS = "SELECT answers FROM answer_log WHERE answers_id IN (";
  private static final String OLDEST =
      "SELECT answers_id, answered_at, answers FROM answer_log ORDER BY answers_id LIMIT ?";
  private static final String DELETE = "DELETE FROM request_log WHERE request_id IN (";
  private static final String DELETE_ANSWERS = "DELETE FROM answer_log WHERE answers_id IN (";

  /** When a row of answers is full, in bytes. */
  private static final int ROW_BYTES = 64 << 10;

  /** How many rows of answers are forgotten by one statement at most. */
  private static final int SWEEP_ROWS = 100;

  private RequestLogTable() {}

  /**
   * One answered request.
   *
   * @param id the id the caller gave
   * @param fingerprint 32 bytes that tell whether a repetition is the same request
   * @param answer the answer in the writer's form
   */
  @SuppressWarnings("ArrayRecordComponent") // compared nowhere; a copy per request would only cost
  public record AnsweredRequest(RequestId id, byte[] fingerprint, byte[] answer) {}

  /** The answered ones among the ids. */
  public static Map<RequestId, AnsweredRequest> find(Connection connection, Collection<RequestId> ids)
      throws SQLException {
    Map<RequestId, AnsweredRequest> found = new HashMap<>();
    if (ids.isEmpty()) {
      return found;
    }
    Collection<Long> answersIds = answersIds(connection, ids);
    if (answersIds.isEmpty()) {
      return found;
    }
    try (PreparedStatement select = connection.prepareStatement(SELECT_ANSWERS + marks(answersIds.size()) + ")")) {
      int parameter = 1;
      for (long answersId : answersIds) {
        select.setLong(parameter++, answersId);
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          read(row.getBytes(1)).forEach(request -> found.put(request.id(), request));
        }
      }
    }
    found.keySet().retainAll(ids);
    return found;
  }

  private static Collection<Long> answersIds(Connection connection, Collection<RequestId> ids) throws SQLException {
    Collection<Long> found = new HashSet<>();
    try (PreparedStatement select = connection.prepareStatement(SELECT + marks(ids.size()) + ")")) {
      int parameter = 1;
      for (RequestId id : ids) {
        select.setBytes(parameter++, bytes(id));
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

  private static byte[] bytes(RequestId id) {
    return id.text().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Remembers answers; an id that is known is an error.
   *
   * @param lastAnswers the number of the last row of answers
   * @return the number of the last row of answers now
   */
  public static long insert(Statements statements, long lastAnswers, Instant time, List<AnsweredRequest> requests)
      throws SQLException {
    long answersId = lastAnswers;
    int from = 0;
    while (from < requests.size()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      int to = from;
      while (to < requests.size() && bytes.size() < ROW_BYTES) {
        write(bytes, requests.get(to++));
      }
      answersId++;
      statements.add(INSERT_ANSWERS, answersId, EntryTable.micros(time), bytes.toByteArray());
      Statements.Rows rows = statements.insert(INSERT, 2);
      for (AnsweredRequest request : requests.subList(from, to)) {
        rows.add(bytes(request.id()), answersId);
      }
      from = to;
    }
    return answersId;
  }

  private static void write(ByteArrayOutputStream bytes, AnsweredRequest request) {
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      byte[] id = bytes(request.id());
      out.writeByte(id.length);
      out.write(id);
      out.writeByte(request.fingerprint().length);
      out.write(request.fingerprint());
      out.writeInt(request.answer().length);
      out.write(request.answer());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<AnsweredRequest> read(byte[] column) {
    List<AnsweredRequest> requests = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(column))) {
      while (in.available() > 0) {
        RequestId id = new RequestId(new String(in.readNBytes(in.readByte()), StandardCharsets.US_ASCII));
        byte[] fingerprint = in.readNBytes(in.readByte());
        requests.add(new AnsweredRequest(id, fingerprint, in.readNBytes(in.readInt())));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return requests;
  }

  /**
   * Forgets the oldest answers, row by row, until {@code step} requests or more are forgotten.
   *
   * @param time answers from this time on are kept
   * @return whether there may be more
   */
  public static boolean sweep(Connection connection, Instant time, int step) throws SQLException {
    int forgotten = 0;
    int rows = 1;
    while (forgotten < step) {
      int requests = sweepRows(connection, time, rows);
      if (requests == 0) {
        return false;
      }
      forgotten += requests;
      // As many as the rest will need if it is like the last ones: a row has one request, or hundreds.
      rows = Math.clamp((long) (step - forgotten) * rows / requests, 1, SWEEP_ROWS);
    }
    return true;
  }

  private static int sweepRows(Connection connection, Instant time, int rows) throws SQLException {
    List<Object> answersIds = new ArrayList<>();
    List<Object> requestIds = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(OLDEST)) {
      select.setFetchSize(Integer.MIN_VALUE); // row by row: one may have megabytes
      select.setInt(1, rows);
      try (ResultSet row = select.executeQuery()) {
        while (row.next() && row.getLong(2) < EntryTable.micros(time)) {
          answersIds.add(row.getLong(1));
          read(row.getBytes(3)).forEach(request -> requestIds.add(bytes(request.id())));
        }
      }
    }
    if (!answersIds.isEmpty()) {
      Statements statements = new Statements(connection);
      statements.add(DELETE + marks(requestIds.size()) + ")", requestIds.toArray());
      statements.add(DELETE_ANSWERS + marks(answersIds.size()) + ")", answersIds.toArray());
      statements.execute();
    }
    return requestIds.size();
  }
}
