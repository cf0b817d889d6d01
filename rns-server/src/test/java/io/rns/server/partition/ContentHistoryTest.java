package io.rns.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rns.server.namespace.ContentMoveDefect;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Histories of moving content: {@code -Drns.test.contentHistories}, from {@code -Drns.test.firstSeed} on. */
class ContentHistoryTest {
  private static final int HISTORIES = Integer.getInteger("rns.test.contentHistories", 400);
  private static final int HISTORIES_TO_FIND_IT = 3_000;
  /** Of what fails in histories, and is mended there. */
  private static final Logger LOG = Logger.getLogger("io.rns.server.partition");
  private static final long FIRST = Long.getLong("rns.test.firstSeed", 1);

  @BeforeAll
  static void beQuiet() {
    LOG.setLevel(Level.OFF);
  }

  @AfterAll
  static void beLoud() {
    LOG.setLevel(null);
  }

  /** On a thread from which those of the history are reached without the help of the operating system. */
  private static ContentHistory history(long seed, ContentMoveDefect defect, boolean divided) {
    try {
      return CompletableFuture
          .supplyAsync(() -> new ContentHistory(seed, defect, divided).run(), task -> Thread.ofVirtual().start(task))
          .join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }

  /** Divided: a directory inside of content that has moved, or has not, is assigned, too. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void contentHasOneOwnerAndLosesNothingWhateverFails(boolean divided) {
    long moved = 0;
    long movedInside = 0;
    long writes = 0;
    long writesAtAnchors = 0;
    long reads = 0;
    long takenBack = 0;
    for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
      ContentHistory history = run(seed, divided);
      moved += history.moved().getFirst();
      movedInside += divided ? history.moved().getLast() : 1;
      writes += history.writes();
      writesAtAnchors += history.writesAtAnchors();
      reads += history.reads();
      takenBack += history.takenBack();
    }
    assertThat(moved).as("moves").isGreaterThan(divided ? HISTORIES / 2 : HISTORIES);
    assertThat(movedInside).as("moves inside").isGreaterThanOrEqualTo(HISTORIES / 2);
    assertThat(writesAtAnchors).as("writes while the group of the root owned content in that of another one")
        .isGreaterThanOrEqualTo(divided ? HISTORIES : 0);
    assertThat(takenBack).as("content given back to get what is around it")
        .isGreaterThanOrEqualTo(divided ? HISTORIES / 10 : 0);
    assertThat(writes).as("answered writes").isGreaterThan(20L * HISTORIES);
    assertThat(reads).as("reads").isGreaterThan(20L * HISTORIES);
  }

  private static ContentHistory run(long seed, boolean divided) {
    try {
      return history(seed, ContentMoveDefect.NONE, divided);
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ", divided " + divided + ": " + e.getMessage(), e);
    }
  }

  @ParameterizedTest
  @EnumSource(value = ContentMoveDefect.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aProtocolWithADefectIsFound(ContentMoveDefect defect) {
    assertThatThrownBy(
        () -> {
          for (long seed = 1; seed <= HISTORIES_TO_FIND_IT; seed++) {
            ContentHistory unused = history(seed, defect, false);
          }
        }).isInstanceOf(IllegalStateException.class);
  }
}
