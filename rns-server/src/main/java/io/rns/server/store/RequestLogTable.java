package io.rns.server.store;

import io.rns.api.RequestId;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The table {@code request_log}: what was answered to requests with an id, so that a repetition gets it again. */
public final class RequestLogTable {
  private static final String INSERT =
      "INSERT INTO request_log (request_id, fingerprint, answered_at, answer) VALUES (?, ?, ?, ?)";
  private static final String SWEEP = "DELETE FROM request_log WHERE answered_at < ? ORDER BY answered_at LIMIT ?";

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
    String sql =
        "SELECT request_id, fingerprint, answer FROM request_log WHERE request_id IN (?"
            + ", ?".repeat(ids.size() - 1)
            + ")";
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      int parameter = 1;
      for (RequestId id : ids) {
        select.setBytes(parameter++, bytes(id));
      }
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          RequestId id = new RequestId(new String(row.getBytes(1), StandardCharsets.US_ASCII));
          found.put(id, new AnsweredRequest(id, row.getBytes(2), row.getBytes(3)));
        }
      }
    }
    return found;
  }

  /** Remembers answers. */
  public static void insert(Connection connection, Instant time, List<AnsweredRequest> requests) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (AnsweredRequest request : requests) {
        insert.setBytes(1, bytes(request.id()));
        insert.setBytes(2, request.fingerprint());
        insert.setLong(3, EntryTable.micros(time));
        insert.setBytes(4, request.answer());
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static byte[] bytes(RequestId id) {
    return id.text().getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Forgets up to {@code step} answers older than {@code time}, oldest first.
   *
   * @return whether there may be more
   */
  public static boolean sweep(Connection connection, Instant time, int step) throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(SWEEP)) {
      delete.setLong(1, EntryTable.micros(time));
      delete.setInt(2, step);
      return delete.executeUpdate() == step;
    }
  }
}
