package io.rns.loadtest.jdbc;

import io.rns.loadtest.peer.Peer;
import io.rns.loadtest.work.Session;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A table like that of entries, asked by plain statements on a database that is there. Who asks knows the numbers of
 * directories, so that one statement is enough: what RNS would be if a name service were nothing else.
 */
public final class TablePeer implements Peer {
  private final String url;
  private final Connection connection;
  private final Map<String, Long> directories = new ConcurrentHashMap<>();
  private final AtomicLong numbers = new AtomicLong();

  private TablePeer(String url, Connection connection) {
    this.url = url;
    this.connection = connection;
    directories.put("/", numbers.getAndIncrement());
  }

  /**
   * Makes the table; one that a crashed run left is dropped before.
   *
   * @param url of the database, with user and password in it if they are needed
   * @throws io.rns.error.RnsException {@link io.rns.error.RnsError#UNAVAILABLE} if the database cannot be reached or
   *         refuses
   */
  public static TablePeer create(String url) {
    try {
      Connection connection = YardstickTable.connect(url);
      try (Statement statement = connection.createStatement()) {
        statement.execute(YardstickTable.DROP);
        statement.execute(YardstickTable.CREATE);
        return new TablePeer(url, connection);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    } catch (SQLException e) {
      throw YardstickTable.refused("make the table rns_yardstick", e);
    }
  }

  @Override
  public String durability() {
    return "prepared statements on the database of RNS, each committed by itself: "
        + YardstickTable.durability(connection);
  }

  @Override
  public Session session() {
    try {
      return new TableSession(this, YardstickTable.connect(url));
    } catch (SQLException e) {
      throw YardstickTable.refused("open a connection", e);
    }
  }

  /** The number of a directory that was made; -1, which no directory has, if it was not. */
  long directory(String path) {
    return directories.getOrDefault(path, -1L);
  }

  /** The number of a new entry. */
  long takeNumber() {
    return numbers.getAndIncrement();
  }

  /** Remembers a directory. */
  void made(String path, long number) {
    directories.put(path, number);
  }

  /** Drops the table. */
  @Override
  public void close() {
    try (connection;
        Statement statement = connection.createStatement()) {
      statement.execute(YardstickTable.DROP);
    } catch (SQLException e) {
      throw YardstickTable.refused("drop the table rns_yardstick", e);
    }
  }
}
