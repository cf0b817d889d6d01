package io.rns.replication.member;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.replication.Timing;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Reports of a database that does not answer. */
class ControlledDatabaseTest {
  private final AtomicLong now = new AtomicLong(7);
  private final HangingDatabase database = new HangingDatabase();
  private final ControlledDatabase beside = new ControlledDatabase(() -> database, "a:3306", new GivenTime(now));

  /** Time that passes when a test says so. */
  private record GivenTime(AtomicLong now) implements Timing {
    @Override
    public long nanoTime() {
      return now.get();
    }

    @Override
    public void pause(Duration time) {
      throw new UnsupportedOperationException("a report does not wait");
    }

    @Override
    public void runAll(List<Runnable> tasks) {
      throw new UnsupportedOperationException("a report is one task");
    }

    @Override
    public void start(String name, Runnable task) {
      throw new UnsupportedOperationException("a report is one task");
    }

    @Override
    public Lock newLock() {
      throw new UnsupportedOperationException("a report waits for nobody");
    }
  }

  @AfterEach
  void close() {
    beside.close();
  }

  private void pass(long millis) {
    now.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void aLookIsGoodForAMoment() {
    assertThat(beside.report().transactions()).isEqualTo("uuid:1-9");
    pass(199);
    assertThat(beside.recentReport(ControlledDatabase.LOOK).transactions()).isEqualTo("uuid:1-9");
    assertThat(database.looks()).isEqualTo(1);
    pass(1);
    assertThat(beside.recentReport(ControlledDatabase.LOOK).transactions()).isEqualTo("uuid:1-9");
    assertThat(database.looks()).isEqualTo(2);
  }

  /** Replicas began to connect to the next primary only when its database was looked at for another reason. */
  @Test
  void whoWaitsForAChangeGetsALookThatBeginsNow() {
    assertThat(beside.report().transactions()).isEqualTo("uuid:1-9");
    database.apply(10);
    assertThat(beside.recentReport(Duration.ZERO).transactions()).isEqualTo("uuid:1-10");
  }

  /** Each report waited as long as the database hung, so other members took the server for dead, too. */
  @Test
  void aReportDoesNotWaitForADatabaseThatHangs() throws InterruptedException {
    database.hang();
    Thread looking = Thread.startVirtualThread(() -> {
      var unused = beside.look();
    });
    database.awaitCaller();
    pass(500);
    assertThatThrownBy(() -> beside.recentReport(ControlledDatabase.LOOK))
        .hasMessage("the database a:3306 has not answered for 500 ms");
    assertThat(database.looks()).isEqualTo(1);
    database.release();
    looking.join();
    assertThat(beside.recentReport(ControlledDatabase.LOOK).transactions()).isEqualTo("uuid:1-9");
  }

  @Test
  void aLookThatFailedIsNotRepeatedForEachReport() {
    database.fail("connection refused");
    assertThatThrownBy(() -> beside.recentReport(ControlledDatabase.LOOK)).hasMessage("connection refused");
    pass(999);
    assertThatThrownBy(() -> beside.recentReport(ControlledDatabase.LOOK)).hasMessage("connection refused");
    assertThat(database.looks()).isEqualTo(1);
    pass(1);
    assertThatThrownBy(() -> beside.recentReport(ControlledDatabase.LOOK)).hasMessage("connection refused");
    assertThat(database.looks()).isEqualTo(2);
  }

  /**
   * A replica whose applier stood still counted as one to which nothing came, though it acknowledged: the lease of a
   * primary that it kept alive was not awaited.
   */
  @Test
  void whatIsReceivedAndNotAppliedHasCome() {
    database.receive(9);
    beside.look();
    pass(300);
    database.receive(10);
    beside.look();
    assertThat(beside.quietMillis()).isZero();
    pass(300);
    database.apply(10);
    beside.look();
    assertThat(beside.quietMillis()).isEqualTo(300);
  }
}
