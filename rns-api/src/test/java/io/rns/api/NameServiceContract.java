package io.rns.api;

/**
 * What every {@link NameService} promises, sentence by sentence. A test of an implementation extends this and gives the
 * service; each test works in a directory of its own, so all of them may share one service, also one in use.
 *
 * <p>The sentences are grouped by what they are about: one interface of tests each.
 */
public abstract class NameServiceContract
    implements
      AddContract,
      QueryContract,
      ListContract,
      UpdateContract,
      RemoveContract,
      BatchContract,
      RequestIdContract,
      ConcurrencyContract {
  /** The service to test: the same one or another one at every call within a test means the same tree. */
  @Override
  public abstract NameService service();
}
