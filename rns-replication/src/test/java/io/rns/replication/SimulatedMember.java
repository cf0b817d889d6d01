package io.rns.replication;

import io.rns.api.Position;
import io.rns.error.RnsError;
import io.rns.error.RnsException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** A server and its database, in memory. Transactions are words; all calls to the group's members are recorded. */
final class SimulatedMember implements GroupMember {
  private static final int LONGEST_SECONDS = 20;
  private final String name;
  private final List<String> calls;
  private final Set<String> transactions = new TreeSet<>();
  private final AtomicReference<RnsException> silence = new AtomicReference<>();
  private volatile Optional<RnsException> refusal = Optional.empty();
  private volatile boolean databaseKnown = true;
  private volatile boolean waits = true;
  private volatile boolean unheard;
  private volatile Role role = Role.REPLICA;
  private volatile Optional<String> source = Optional.empty();
  private volatile Optional<String> meanwhile = Optional.empty();
  private volatile int acceptedMeanwhile;
  private volatile boolean stopped;
  private volatile Optional<RnsException> sourceTrouble = Optional.empty();
  private volatile Optional<RnsException> answerLost = Optional.empty();
  private final AtomicInteger reportsAsReplica = new AtomicInteger(-1);
  private final AtomicInteger unanswered = new AtomicInteger();
  private volatile String deathAtLead = "";
  private volatile CountDownLatch countsAfter = new CountDownLatch(0);
  private final CountDownLatch counts = new CountDownLatch(1);
  private volatile boolean beginsToLead;
  private volatile Optional<String> receives = Optional.empty();
  private volatile Optional<String> lastWrite = Optional.empty();
  private final AtomicInteger epoch = new AtomicInteger(1);
  private int endedBefore;
  private volatile long served;
  private volatile int promised;
  private volatile boolean busy;
  private volatile String proposer = "";
  private volatile int accepted;
  private volatile int chosen;
  private volatile int cutOff;
  private final AtomicInteger reportsCutOff = new AtomicInteger();
  private volatile boolean vouches = true;
  private final Set<String> received = new TreeSet<>();
  private final AtomicInteger questionsUntilApplied = new AtomicInteger();
  private volatile MemberList list = MemberList.NONE;
  private volatile MemberList listReceived = MemberList.NONE;

  SimulatedMember(String name, List<String> calls) {
    this.name = name;
    this.calls = calls;
  }

  static String address(String name) {
    return name + ":3306";
  }

  SimulatedMember primary() {
    role = Role.PRIMARY;
    return this;
  }

  /** It becomes the primary once its report was asked for so often. */
  SimulatedMember primaryAfter(int requests) {
    reportsAsReplica.set(requests);
    return this;
  }

  /** A primary whose commits wait only for its own disk. */
  SimulatedMember waitsForNoReplica() {
    waits = false;
    return this;
  }

  /** No member acknowledges its writes. */
  SimulatedMember isUnheard() {
    unheard = true;
    return this;
  }

  /** It has been primary or replica in this epoch. */
  SimulatedMember knows(int number) {
    epoch.set(number);
    return this;
  }

  /** Left outside by an earlier change. */
  SimulatedMember outside() {
    role = Role.OUTSIDE;
    return this;
  }

  SimulatedMember follows(String other) {
    source = Optional.of(address(other));
    return this;
  }

  SimulatedMember has(String... words) {
    transactions.addAll(Arrays.asList(words));
    served = transactions.size();
    return this;
  }

  /** Its database has all transactions, but its reads do not see them yet. */
  SimulatedMember serves(long sequence) {
    served = sequence;
    return this;
  }

  /** It has received these, and applies them once it was asked so often whether it has. */
  SimulatedMember appliesAfter(int questions, String... words) {
    received.addAll(Arrays.asList(words));
    questionsUntilApplied.set(questions);
    return this;
  }

  /** Its database has this list of members. */
  SimulatedMember has(MemberList members) {
    list = members;
    listReceived = members;
    return this;
  }

  /** As soon as it has applied what it has received, another list of members is there. */
  SimulatedMember appliesList(MemberList list) {
    listReceived = list;
    return this;
  }

  /** From now on it does not answer. */
  SimulatedMember falls(String why) {
    silence.set(new RnsException(RnsError.UNAVAILABLE, why));
    return this;
  }

  /** So many requests for its report are not answered in time. */
  SimulatedMember answersAfter(int requests) {
    unanswered.set(requests);
    return this;
  }

  /** Another change has cut it off for a term; that is over once its report was asked for so often. */
  SimulatedMember cutOff(int term, int requests) {
    cutOff = term;
    reportsCutOff.set(requests);
    return this;
  }

  /** Its server answers, but knows nothing about its database yet. */
  SimulatedMember isStarting() {
    databaseKnown = false;
    return this;
  }

  /** It answers, but rejects calls that change its role. */
  SimulatedMember rejectsChanges(RnsError error, String why) {
    refusal = Optional.of(new RnsException(error, why));
    return this;
  }

  /** Its database cannot replicate from another one. */
  SimulatedMember reachesNoSource(RnsError error, String why) {
    sourceTrouble = Optional.of(new RnsException(error, why));
    return this;
  }

  /** It becomes primary when told to, but its answer is lost. */
  SimulatedMember losesTheAnswer(String why) {
    answerLost = Optional.of(new RnsException(RnsError.UNAVAILABLE, why));
    return this;
  }

  /** Told to lead, it counts acknowledgements, and leads, once its report was asked for so often. */
  SimulatedMember countsAfter(int requests) {
    countsAfter = new CountDownLatch(requests);
    return this;
  }

  /** Whether it does. */
  boolean waitsForReports() {
    return beginsToLead;
  }

  private static void await(CountDownLatch event) {
    try {
      if (!event.await(LONGEST_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("its report was not asked for " + event.getCount() + " times more");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** It does not answer any more once it is told to lead. */
  SimulatedMember diesWhenItLeads(String why) {
    deathAtLead = why;
    return this;
  }

  /** Its last write, which others do not receive. */
  SimulatedMember commitsWhenItStepsDown(String word) {
    lastWrite = Optional.of(word);
    return this;
  }

  /** As soon as it follows another one, it has this transaction of that one. */
  SimulatedMember receivesWhenItFollows(String word) {
    receives = Optional.of(word);
    return this;
  }

  Role role() {
    return role;
  }

  Optional<String> source() {
    return source;
  }

  private void called(String what) {
    RnsException reason = silence.get();
    if (reason != null) {
      throw reason;
    }
    calls.add(name + " " + what);
  }

  private void refuse() {
    if (refusal.isPresent()) {
      throw refusal.get();
    }
  }

  @Override
  public String url() {
    return "http://" + name;
  }

  @Override
  public MemberReport report() {
    RnsException reason = silence.get();
    if (reason != null) {
      throw reason;
    }
    if (beginsToLead) {
      countsAfter.countDown();
      if (countsAfter.getCount() == 0) {
        await(counts);
      }
    }
    if (unanswered.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      throw new RnsException(RnsError.UNAVAILABLE, "no response in time");
    }
    if (reportsAsReplica.getAndUpdate(left -> Math.max(-1, left - 1)) == 0) {
      role = Role.PRIMARY;
    }
    Optional<DatabaseReport> database =
        databaseKnown
            ? Optional.of(
                new DatabaseReport(
                    address(name), role == Role.PRIMARY, source, source.isPresent() && !stopped, true,
                    text(),
                    role == Role.PRIMARY && waits ? OptionalInt.of(unheard ? 0 : 1) : OptionalInt.empty(),
                    Optional.empty()))
            : Optional.empty();
    int cutOffNow = reportsCutOff.getAndUpdate(left -> Math.max(0, left - 1)) > 0 ? cutOff : 0;
    return new MemberReport(
        name, url(), role, Optional.of(new Position(0, epoch.get(), served)), Lag.NONE, 0,
        databaseKnown ? "" : "starting", database,
        List.of(), list,
        new Allegiance(promised, accepted, cutOffNow, role == Role.PRIMARY ? accepted : 0, chosen, 0, vouches, 0, 0),
        Offer.NONE, "");
  }

  private String text() {
    Set<String> all = new TreeSet<>(transactions);
    all.addAll(source.isEmpty() || stopped ? received : Set.of());
    return String.join(",", all);
  }

  private void obey(Term term) {
    if (term.number() < promised || (term.number() == promised && !term.proposer().equals(proposer))) {
      throw new RnsException(RnsError.NOT_PRIMARY, url() + " has promised a later term");
    }
    promised = term.number();
    proposer = term.proposer();
  }

  /** It has promised this term to another server. */
  SimulatedMember promised(int number) {
    promised = number;
    proposer = "http://other";
    return this;
  }

  /** Before it stops receiving, it follows another one by its own rules. */
  SimulatedMember followsMeanwhile(String other) {
    meanwhile = Optional.of(address(other));
    return this;
  }

  /** Before it stops receiving, it follows a primary of this term by its own rules. */
  SimulatedMember acceptsMeanwhile(int number) {
    acceptedMeanwhile = number;
    return this;
  }

  /** It promises nothing, since its role is changing. */
  SimulatedMember isBusy() {
    busy = true;
    return this;
  }

  /** Its database was restarted, and has not caught up since. */
  SimulatedMember doesNotVouch() {
    vouches = false;
    return this;
  }

  /** It was to lead in this term. */
  SimulatedMember chosen(int number) {
    chosen = number;
    return this;
  }

  /** It has followed or led in this term. */
  SimulatedMember accepted(int number) {
    accepted = number;
    return this;
  }

  @Override
  public MemberReport promise(Term term) {
    RnsException reason = silence.get();
    if (reason != null) {
      throw reason;
    }
    if (busy) {
      throw new RnsException(RnsError.UNAVAILABLE, url() + " is busy with another change of its role");
    }
    obey(term);
    return report();
  }

  @Override
  public MemberReport stepDown(Term term) {
    called("stepDown");
    refuse();
    obey(term);
    role = Role.REPLICA;
    lastWrite.ifPresent(transactions::add);
    return report();
  }

  @Override
  public MemberReport stopReceiving(Term term) {
    called("stopReceiving");
    refuse();
    obey(term);
    source = meanwhile.or(() -> source);
    accepted = Math.max(accepted, acceptedMeanwhile);
    stopped = true;
    return report();
  }

  /** As a database that applies while others ask. */
  private void apply() {
    if (questionsUntilApplied.getAndDecrement() == 0) {
      transactions.addAll(received);
      list = listReceived;
    }
  }

  @Override
  public boolean contains(String others) {
    apply();
    return others.isEmpty() || transactions.containsAll(Arrays.asList(others.split(",")));
  }

  @Override
  public void checkReaches(String other) {
    if (sourceTrouble.isPresent()) {
      throw sourceTrouble.get();
    }
  }

  @Override
  public void follow(String other, String primary, int leading, Term term) {
    called("follow " + primary + (transactions.containsAll(received) ? "" : " without " + String.join(",", received)));
    obey(term);
    accepted = Math.max(accepted, leading);
    receives.ifPresent(transactions::add);
    source = Optional.of(other);
    stopped = false;
  }

  /** The epoch whose primary it was told to have stopped when it led last. */
  int endedBefore() {
    return endedBefore;
  }

  @Override
  public MemberReport lead(Term term, PromotionTerms terms) {
    endedBefore = terms.ended();
    called("lead" + (terms.alone() ? " alone" : "") + (terms.othersEmpty() ? " beside empty ones" : ""));
    if (!deathAtLead.isEmpty()) {
      falls(deathAtLead);
      report();
    }
    if (unheard && !terms.alone()) {
      throw new RnsException(RnsError.INVALID_REQUEST, "no member acknowledges the writes of " + url());
    }
    obey(term);
    if (countsAfter.getCount() > 0) {
      beginsToLead = true;
      await(countsAfter);
      calls.add(name + " counts");
    }
    accepted = term.number();
    source = Optional.empty();
    role = Role.PRIMARY;
    counts.countDown();
    epoch.set(Math.max(epoch.get(), terms.after()) + 1);
    if (answerLost.isPresent()) {
      throw answerLost.get();
    }
    return report();
  }
}
