package io.rns.api;

class ModelNameServiceTest extends NameServiceContract {
  private final NameService service = new ModelNameService();

  @Override
  public NameService service() {
    return service;
  }
}
