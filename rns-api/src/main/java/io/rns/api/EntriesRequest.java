package io.rns.api;

/** A request on entries, answered with one outcome per item. */
public sealed interface EntriesRequest permits QueryRequest, WriteRequest {}
