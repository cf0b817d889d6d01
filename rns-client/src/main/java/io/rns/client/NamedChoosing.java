package io.rns.client;

import io.rns.api.CallContext;
import io.rns.api.RnsPath;
import io.rns.error.RnsException;
import io.rns.referral.Choice;
import java.util.List;
import java.util.function.Supplier;

/** Stays with the server in use until it fails: {@link Selection#NAMED}. */
record NamedChoosing(Servers servers) implements Choosing {
  @Override
  public RnsPath part(Supplier<Subject.Place> place) {
    return RnsPath.ROOT;
  }

  @Override
  public List<RnsPath> parts() {
    return List.of();
  }

  @Override
  public int size(RnsPath part) {
    return servers.size();
  }

  @Override
  public Turn next(CallContext call, RnsPath part, boolean atPrimary, int places) {
    return new Turn(servers.behind(places), false);
  }

  @Override
  public String reason(CallContext call, RnsPath part, boolean atPrimary, Server server) {
    List<Server> own = servers.own();
    int number = own.indexOf(server) + 1;
    return own.size() == 1 ? "the only server named"
        : number == 1 ? "the first of " + own.size() + " servers named"
            : "server " + number + " of " + own.size() + " named, in use since another one failed";
  }

  @Override
  public <A> A ask(Server server, boolean atPrimary, Supplier<A> question) {
    return question.get();
  }

  @Override
  public void failed(Server server, RnsException why) {
    servers.failed(server);
  }

  @Override
  public void misled() {
    // No report could mislead.
  }

  @Override
  public void answered(RnsPath part, int group) {
    // Whoever has it, the same server is asked.
  }

  @Override
  public boolean finds(Server server, boolean referred) {
    return server == servers.inUse();
  }

  @Override
  public List<Choice> choices(RnsPath directory, boolean atPrimary) {
    return List.of();
  }

  @Override
  public void refresh() {
    // Nothing is remembered but who failed.
  }
}
