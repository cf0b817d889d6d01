package io.rns.audit;

import io.rns.operator.OperatorKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the files of one audit log, line by line in bounded memory: whether each line follows the one before, and
 * each file the one before. A line that was changed, removed, added or moved is a problem; those behind it are verified
 * against the hashes that the file has. What the log itself says about torn lines and lost events is a notice.
 *
 * <p>Where the chain begins is not known to be the beginning: older files may have been removed. Where it ends neither,
 * unless the head that is expected was kept elsewhere. For one thread.
 */
public final class AuditVerification {
  /** How many problems and notices are described. */
  public static final int DESCRIBED = 100;

  private final List<AuditChain> chains;
  private final @Nullable AuditHead expected;
  private final List<Finding> problems = new ArrayList<>();
  private final List<Finding> notices = new ArrayList<>();
  private long problemCount;
  private int files;
  private long lines;
  private @Nullable AuditLine first;
  private @Nullable AuditLine last;
  /** The line behind which the next one has to come; null where that is not known. */
  private @Nullable AuditHead head;
  private long end;
  private boolean isMet;

  // Of the file that is being read.
  private Path file = Path.of("");
  private long number;
  private @Nullable Gap gap;

  /**
   * What was found.
   *
   * @param file where
   * @param line in the file, from 1
   */
  public record Finding(Path file, long line, String message) {}

  /** Bytes that are no line that follows the last good one: perhaps the log itself says that they are torn. */
  private static final class Gap {
    final AuditHead before;
    final int problems;
    final long problemCount;
    final MessageDigest digest = OperatorKey.sha256();
    long bytes;
    long ends;

    Gap(AuditHead before, int problems, long problemCount) {
      this.before = before;
      this.problems = problems;
      this.problemCount = problemCount;
    }

    void add(AuditLines lines) {
      digest.update(lines.bytes(), 0, lines.length());
      bytes += lines.length();
      if (lines.isWhole()) {
        digest.update((byte) '\n');
        bytes++;
        ends++;
      }
    }

    private boolean is(AuditLine line) {
      try {
        return line.plain("bytes").equals(Optional.of(Long.toString(bytes)))
            && line.plain("sha256")
                .equals(Optional.of(OperatorKey.hex(((MessageDigest) digest.clone()).digest())));
      } catch (CloneNotSupportedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * A verification.
   *
   * @param secrets of the servers, one of which each file was written with; empty texts for none
   * @param expected a head that was kept elsewhere; empty if there is none
   */
  public AuditVerification(List<String> secrets, Optional<AuditHead> expected) {
    this.chains = secrets.stream().map(AuditChain::new).toList();
    this.expected = expected.orElse(null);
  }

  /**
   * Verifies files, oldest first.
   *
   * @throws IOException if one cannot be read
   */
  public void verify(List<Path> all) throws IOException {
    for (int i = 0; i < all.size(); i++) {
      try {
        verify(all.get(i), i == all.size() - 1);
      } catch (NoSuchFileException e) {
        // The server removes the oldest while it goes on.
        if (first != null || !Files.notExists(all.get(i))) {
          throw e;
        }
      }
    }
    finish(all);
  }

  private void finish(List<Path> all) {
    if (expected == null || isMet || all.isEmpty()) {
      return;
    }
    file = all.get(all.size() - 1);
    AuditLine known = last;
    if (known == null || known.sequence() < expected.sequence()) {
      problem("the log ends with line " + (known == null ? 0 : known.sequence()) + ", before line "
          + expected.sequence() + ", which is expected");
    } else {
      problem("line " + expected.sequence() + ", which is expected, is older than the files, or missing");
    }
  }

  private void verify(Path next, boolean isLast) throws IOException {
    file = next;
    number = 0;
    gap = null;
    files++;
    try (AuditLines reader = new AuditLines(next)) {
      AuditChain chain = null;
      while (reader.advance()) {
        number++;
        if (number == 1) {
          chain = begin(reader);
          if (chain == null) {
            head = null;
            return;
          }
        } else if (!reader.isWhole() && isLast && gap == null) {
          notice("the last line is not complete: it is being written, or the server stopped there");
        } else {
          check(reader, java.util.Objects.requireNonNull(chain));
        }
      }
    }
    if (number == 0) {
      if (!isLast) {
        problem("the file is empty");
      }
    }
  }

  /** The chain of a file, by its first line; null if it cannot be verified. */
  private @Nullable AuditChain begin(AuditLines reader) {
    Optional<AuditLine> parsed = reader.isWhole() ? AuditLine.parse(reader.bytes(), reader.length()) : Optional.empty();
    Optional<String> previous =
        parsed.filter(line -> line.event().equals(AuditLine.FILE)).flatMap(line -> line.plain("previous"));
    if (previous.isEmpty()) {
      problem("the file does not begin as files of audit logs do");
      return null;
    }
    AuditLine line = parsed.orElseThrow();
    for (AuditChain chain : chains) {
      if (OperatorKey.isSame(line.hash(), hash(chain, previous.get(), reader, line))) {
        follows(line, previous.get());
        take(line, reader);
        return chain;
      }
    }
    problem("the file was changed, or not written with this secret");
    return null;
  }

  private void follows(AuditLine line, String previous) {
    AuditHead before = head;
    if (before == null) {
      if (first == null && line.sequence() == 1 && !previous.equals(AuditChain.ORIGIN)) {
        problem("line 1 follows another line");
      }
    } else if (line.sequence() > before.sequence() + 1) {
      problem(missing(before.sequence() + 1, line.sequence() - 1));
    } else if (line.sequence() != before.sequence() + 1 || !OperatorKey.isSame(previous, before.hash())) {
      problem("the file does not follow the one before it");
    }
  }

  private static String missing(long from, long to) {
    return from == to ? "line " + from + " is missing" : "lines " + from + " to " + to + " are missing";
  }

  private void check(AuditLines reader, AuditChain chain) {
    Optional<AuditLine> parsed = reader.isWhole() ? AuditLine.parse(reader.bytes(), reader.length()) : Optional.empty();
    Gap open = gap;
    if (open != null && parsed.isPresent() && isRecorded(open, parsed.get(), reader, chain)) {
      recorded(open);
      take(parsed.get(), reader);
      gap = null;
      return;
    }
    AuditHead before = java.util.Objects.requireNonNull(head);
    if (parsed.isPresent() && isNext(before, parsed.get()) && isGenuine(before, parsed.get(), reader, chain)) {
      if (open != null) {
        open.add(reader);
      }
      take(parsed.get(), reader);
      return;
    }
    if (open == null) {
      open = new Gap(before, problems.size(), problemCount);
      gap = open;
    }
    open.add(reader);
    if (parsed.isEmpty()) {
      problem("no line of an audit log");
      return;
    }
    AuditLine line = parsed.get();
    if (line.sequence() > before.sequence() + 1) {
      problem(missing(before.sequence() + 1, line.sequence() - 1) + " before it");
    } else if (line.sequence() <= before.sequence()) {
      problem("line " + line.sequence() + " was added or moved here: it comes behind line " + before.sequence());
    } else {
      problem("line " + line.sequence() + " was changed, or the one before it");
    }
    // What follows is measured by what the file has.
    head = new AuditHead(line.sequence(), line.hash());
  }

  private static boolean isNext(AuditHead before, AuditLine line) {
    return line.sequence() == before.sequence() + 1;
  }

  private static boolean isGenuine(AuditHead before, AuditLine line, AuditLines reader, AuditChain chain) {
    return OperatorKey.isSame(line.hash(), hash(chain, before.hash(), reader, line));
  }

  private static String hash(AuditChain chain, String before, AuditLines reader, AuditLine line) {
    return chain.hash(before, reader.bytes(), 0, line.body().length());
  }

  private static boolean isRecorded(Gap open, AuditLine line, AuditLines reader, AuditChain chain) {
    return line.event().equals(AuditLine.TORN) && isNext(open.before, line) && open.is(line)
        && isGenuine(open.before, line, reader, chain);
  }

  /** The log itself says what is there. */
  private void recorded(Gap torn) {
    while (problems.size() > torn.problems) {
      problems.remove(problems.size() - 1);
    }
    problemCount = torn.problemCount;
    String what = torn.bytes + " bytes before it are torn, as the server found when it started";
    if (torn.ends > 1) {
      problem(what + "; there were whole lines among them");
    } else {
      notice(what);
    }
  }

  private void take(AuditLine line, AuditLines reader) {
    lines++;
    first = first == null ? line : first;
    last = line;
    head = new AuditHead(line.sequence(), line.hash());
    end = reader.end();
    if (line.event().equals(AuditLine.LOST)) {
      notice(line.plain("lost").orElse("some") + " events before it were lost");
    }
    if (expected != null && expected.sequence() == line.sequence()) {
      isMet = true;
      if (!OperatorKey.isSame(expected.hash(), line.hash())) {
        problem("line " + line.sequence() + " is another one than expected");
      }
    }
  }

  private void problem(String message) {
    problemCount++;
    if (problems.size() < DESCRIBED) {
      problems.add(new Finding(file, number, message));
    }
  }

  private void notice(String message) {
    if (notices.size() < DESCRIBED) {
      notices.add(new Finding(file, number, message));
    }
  }

  /** What is wrong; the first ones. */
  public List<Finding> problems() {
    return List.copyOf(problems);
  }

  /** How many problems there are. */
  public long problemCount() {
    return problemCount;
  }

  /** What the log itself reports; the first ones. */
  public List<Finding> notices() {
    return List.copyOf(notices);
  }

  /** How many files were read. */
  public int files() {
    return files;
  }

  /** How many lines are as they were written. */
  public long lines() {
    return lines;
  }

  /** The first of these lines. */
  public Optional<AuditLine> first() {
    return Optional.ofNullable(first);
  }

  /** The last of these lines. */
  public Optional<AuditLine> last() {
    return Optional.ofNullable(last);
  }

  /** Where the last of these lines ends in its file, in bytes. */
  public long end() {
    return end;
  }
}
