package io.rns.loadtest.measure;

public record Failure(FailureKind kind, String text) {}
