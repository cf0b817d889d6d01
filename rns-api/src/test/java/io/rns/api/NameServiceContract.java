package io.rns.api;

/**
 * The contract of every {@link NameService}. A test of an implementation extends this class and supplies the service.
 * Each test works in its own directory, so all of them may share one service, even one in use.
 *
 * <p>The contract is grouped by subject, one interface of tests each.
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
  /** The service under test; all calls within a test must refer to the same tree. */
  @Override
  public abstract NameService service();
}
