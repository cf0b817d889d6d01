package io.rns.api;

/** The comparison finds no difference between two equal services. */
class ModelRandomOperationsTest extends RandomOperationsContract {
  private final NameService service = new ModelNameService();

  ModelRandomOperationsTest() {
    // Its ids and sequence numbers differ from those of the model.
    Sandbox.in(service).directory("/other");
  }

  @Override
  protected NameService service() {
    return service;
  }
}
