package io.rns.local;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MissingLibraryTest {
  @Test
  void namesTheLibraryAndItsDebianPackage() {
    String said =
        "/x/bin/mariadbd: error while loading shared libraries: libcrypt.so.1: cannot open shared object file";
    assertThat(MissingLibrary.explain(said))
        .hasValueSatisfying(text -> assertThat(text).contains("libcrypt.so.1", "apt-get install libcrypt1"));
  }

  @Test
  void namesALibraryWithoutAKnownPackage() {
    String said = "mariadbd: error while loading shared libraries: libfoo.so.9: cannot open shared object file";
    assertThat(MissingLibrary.explain(said)).hasValueSatisfying(text -> assertThat(text).contains("libfoo.so.9"));
  }

  @Test
  void reportsThatTheSystemIsTooOld() {
    String said = "/x/bin/mariadbd: /lib/libm.so.6: version `GLIBC_2.35' not found (required by /x/bin/mariadbd)";
    assertThat(MissingLibrary.explain(said)).hasValueSatisfying(text -> assertThat(text).contains("GLIBC_2.35"));
  }

  @Test
  void ignoresOtherErrors() {
    assertThat(MissingLibrary.explain("[ERROR] Aborting")).isEmpty();
  }
}
