package io.rns.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MariaDbSnapshotIT {
  private static final int LOOKING = 4;
  /** In this time it happened in a few of some hundred snapshots. */
  private static final Duration TIME = Duration.ofSeconds(8);

  @TempDir private Path temporary;

  /**
   * A server whose copy was being made lacked writes that had been acknowledged: the database told the place of another
   * connection, to which the status was being told at the same moment.
   */
  @Test
  void tellsThePlaceOfItsSnapshotWhileOthersLookAtTheStatus() throws Exception {
    assumeFalse(TestMember.onMySql(), "MySQL's snapshots are taken in another way");
    try (TestMember process = TestMember.start(temporary, 1);
        ReplicatedDatabase member = (ReplicatedDatabase) process.member();
        Connection data = connect(process, "rns");
        Connection copying = connect(process, TestMember.CONTROL_USER)) {
      member.makeWritable(0);
      MemberConnection.execute(data, "CREATE TABLE counted (n INT PRIMARY KEY)");
      long before = sequence(MemberConnection.value(data, "SELECT @@global.gtid_binlog_pos"));
      CountDownLatch stop = new CountDownLatch(1);
      List<Future<?>> running = new ArrayList<>();
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        running.add(threads.submit(() -> insert(data, stop)));
        for (int i = 0; i < LOOKING; i++) {
          running.add(threads.submit(() -> look(process, stop)));
        }
        try {
          for (long end = System.nanoTime() + TIME.toNanos(); System.nanoTime() < end;) {
            long told = sequence(member.openSnapshot(copying));
            long rows = Long.parseLong(MemberConnection.value(copying, "SELECT COUNT(*) FROM counted"));
            assertThat(told - before).isEqualTo(rows);
          }
        } finally {
          stop.countDown();
        }
      }
      for (Future<?> each : running) {
        each.get();
      }
    }
  }

  private static Connection connect(TestMember process, String user) throws SQLException {
    return DriverManager.getConnection(process.jdbcUrl(), user, user);
  }

  private static @Nullable Void insert(Connection connection, CountDownLatch stop) throws SQLException {
    for (int i = 0; stop.getCount() > 0; i++) {
      MemberConnection.execute(connection, "INSERT INTO counted VALUES (" + i + ")");
    }
    return null;
  }

  private static @Nullable Void look(TestMember process, CountDownLatch stop) throws SQLException {
    try (Connection connection = connect(process, TestMember.CONTROL_USER)) {
      while (stop.getCount() > 0) {
        MemberConnection.value(
            connection, "SELECT COUNT(*) FROM information_schema.global_status WHERE variable_value = 'x'");
      }
    }
    return null;
  }

  private static long sequence(String gtid) {
    return Long.parseLong(gtid.substring(gtid.lastIndexOf('-') + 1));
  }
}
