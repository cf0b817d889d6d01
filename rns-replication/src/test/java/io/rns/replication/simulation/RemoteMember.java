package io.rns.replication.simulation;

import io.rns.error.RnsError;
import io.rns.error.RnsException;
import io.rns.replication.GroupMember;
import io.rns.replication.MemberList;
import io.rns.replication.MemberReport;
import io.rns.replication.PromotionTerms;
import io.rns.replication.Term;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Another server of the group, over the network, with the deadlines of the real one. */
final class RemoteMember implements GroupMember {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration REACH = Duration.ofSeconds(5);
  private static final Duration STEP_DOWN = Duration.ofSeconds(5);
  private static final Duration STEP = Duration.ofSeconds(15);
  private static final Duration LEAD = Duration.ofSeconds(60);

  private final VirtualGroup group;
  private final VirtualServer from;
  private final VirtualServer to;

  RemoteMember(VirtualGroup group, VirtualServer from, VirtualServer to) {
    this.group = group;
    this.from = from;
    this.to = to;
  }

  /** How a connection fails. Every second of a server that is down costs several of them, so they do not say where. */
  private static final class NobodyListens extends ConnectException {
    private static final long serialVersionUID = 1L;

    NobodyListens(String url) {
      super(url + ": connection refused");
    }

    @Override
    public Throwable fillInStackTrace() {
      return this;
    }
  }

  /** One request: its answer or error, once it has come. */
  private static final class Request<T> {
    private final Signal answered;
    private @Nullable T answer;
    private @Nullable RnsException error;
    private @Nullable IOException lost;

    Request(VirtualTime time) {
      this.answered = new Signal(time);
    }

    void carryOut(Function<GroupMember, T> question, GroupMember member) {
      try {
        answer = question.apply(member);
      } catch (RnsException e) {
        error = e;
      }
    }

    void lose(IOException why) {
      lost = why;
    }

    /** What came of it, once it is answered. */
    T result() {
      if (lost != null) {
        throw new RnsException(RnsError.UNAVAILABLE, String.valueOf(lost.getMessage()), lost);
      }
      if (error != null) {
        throw new RnsException(error.error(), String.valueOf(error.getMessage()), error.getCause());
      }
      return Objects.requireNonNull(answer);
    }
  }

  /** Asks what is answered without waiting. */
  private <T> T ask(Duration most, Function<GroupMember, T> question) {
    Request<T> request = new Request<>(group.time());
    return awaited(request, most, () -> {
      request.carryOut(question, to.local());
      reply(request);
    });
  }

  /** Has a command carried out, which goes on if nobody waits for it any more. */
  private <T> T command(Duration most, Function<GroupMember, T> step) {
    Request<T> request = new Request<>(group.time());
    return awaited(request, most, () -> group.time().start(to.process(), () -> {
      request.carryOut(step, to.local());
      reply(request);
    }));
  }

  private <T> T awaited(Request<T> request, Duration most, Runnable arrival) {
    group.network().send(VirtualNetwork.Kind.SERVERS, from.number, to.number, () -> {
      if (to.process().isAlive()) {
        to.process().deliver(arrival);
      } else {
        request.lose(new NobodyListens(url()));
        reply(request);
      }
    });
    if (!request.answered.await(from.timing().nanos(most))) {
      throw new RnsException(RnsError.UNAVAILABLE, url() + " does not answer within " + most.toMillis() + " ms");
    }
    return request.result();
  }

  private void reply(Request<?> request) {
    if (group.network().losesAnswer()) {
      request.lose(new SocketException(url() + ": connection reset"));
    }
    SimulatedProcess process = from.process();
    group.network().send(VirtualNetwork.Kind.SERVERS, to.number, from.number,
        () -> process.deliver(request.answered::fire));
  }

  @Override
  public String url() {
    return to.url();
  }

  @Override
  public MemberReport report() {
    return ask(LOOK, member -> {
      to.hear(from.url());
      return member.report();
    });
  }

  /** The term of a step; with the defect one that the member takes for a later one than all that it knows. */
  private Term obeyed(Term term) {
    if (!group.has(Defect.STEPS_WITHOUT_TERMS)) {
      return term;
    }
    int latest = to.local().report().allegiance().latest();
    return latest >= term.number() ? new Term(latest + 1, term.proposer()) : term;
  }

  @Override
  public MemberReport promise(Term term) {
    from.checkContinues(term);
    return command(STEP_DOWN, member -> member.promise(obeyed(term)));
  }

  @Override
  public MemberReport stepDown(Term term) {
    return command(STEP_DOWN, member -> member.stepDown(obeyed(term)));
  }

  @Override
  public MemberReport stopReceiving(Term term) {
    return command(STEP, member -> member.stopReceiving(obeyed(term)));
  }

  @Override
  public boolean contains(String transactions) {
    return ask(REACH, member -> member.contains(transactions));
  }

  @Override
  public void checkReaches(String source) {
    boolean unused = ask(REACH, member -> {
      member.checkReaches(source);
      return true;
    });
  }

  @Override
  public void follow(String source, String primary, int leading, Term term) {
    boolean unused = command(STEP, member -> {
      member.follow(source, primary, leading, obeyed(term));
      return true;
    });
  }

  /** Has that server, the primary, add a member. */
  MemberList addMember(String url) {
    return command(LEAD, member -> to.add(url));
  }

  @Override
  public MemberReport lead(Term term, PromotionTerms terms) {
    try {
      return command(LEAD, member -> member.lead(obeyed(term), terms));
    } catch (RnsException e) {
      from.failedToPromote(term);
      throw e;
    }
  }
}
