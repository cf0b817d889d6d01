package io.rns.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.rns.grid.TestAuthority;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.DERBMPString;
import org.bouncycastle.asn1.DERBitString;
import org.bouncycastle.asn1.DERIA5String;
import org.bouncycastle.asn1.DERPrintableString;
import org.bouncycastle.asn1.DERUTF8String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.junit.jupiter.api.Test;

class DistinguishedNameTest {
  private static Optional<String> text(X500Name name) {
    try {
      return DistinguishedName.text(new X500Principal(name.getEncoded()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static X500Name common(ASN1Encodable value) {
    return new X500Name(new RDN[]{new RDN(BCStyle.CN, value)});
  }

  private static X500Name common(String value) {
    return common(new DERUTF8String(value));
  }

  @Test
  void aNameIsWrittenInTheFormOfTheGrid() {
    assertThat(text(TestAuthority.name("DC=ch", "DC=cern", "OU=Users", "CN=Alice Ågren 12345")))
        .contains("/DC=ch/DC=cern/OU=Users/CN=Alice Ågren 12345");
    assertThat(text(TestAuthority.name("C=IT", "O=INFN", "L=CNAF", "ST=BO", "E=a@b.c", "UID=x", "SERIALNUMBER=7")))
        .contains("/C=IT/O=INFN/L=CNAF/ST=BO/emailAddress=a@b.c/UID=x/serialNumber=7");
    assertThat(text(new X500Name(new RDN[]{new RDN(BCStyle.PSEUDONYM, new DERUTF8String("x"))})))
        .contains("/2.5.4.65=x");
    for (ASN1Encodable same : List.of(new DERPrintableString("Bob"), new DERBMPString("Bob"),
        new DERIA5String("Bob"))) {
      assertThat(text(common(same))).contains("/CN=Bob");
    }
  }

  @Test
  void noTwoNamesHaveTheSameText() {
    AttributeTypeAndValue alice = new AttributeTypeAndValue(BCStyle.CN, new DERUTF8String("alice"));
    AttributeTypeAndValue user = new AttributeTypeAndValue(BCStyle.UID, new DERUTF8String("a"));
    List<X500Name> names =
        List.of(
            TestAuthority.name("O=x", "CN=alice"), common("alice"), common("x/CN=alice"), common("x\\2FCN=alice"),
            common("x\\/CN=alice"), TestAuthority.name("CN=x", "CN=alice"), common("x+UID=a"),
            new X500Name(new RDN[]{new RDN(new AttributeTypeAndValue[]{alice, user})}),
            TestAuthority.name("CN=alice", "UID=a"), common("alice,CN=bob"), common(" alice"), common("alice "),
            common("alice\u0000"), common("alice\u200b"), common("alice\u202e"), common("alice\u00a0"),
            common("alice\n"), common("al\u0131ce"), common("\u0430lice"), common("#03020041"), common("Alice"),
            common(new DERBitString(new byte[]{65})));
    assertThat(new DERBitString(new byte[]{65}).getString()).as("what looks like it").isEqualTo("#03020041");
    Map<String, X500Name> found = new HashMap<>();
    for (X500Name name : names) {
      String text = text(name).orElseThrow();
      assertThat(found.put(text, name)).as("%s has the text of another", text).isNull();
      assertThat(text).isEqualTo(text.strip()).doesNotContainPattern("[\\p{Cntrl},\\u200b\\u202e\\u00a0]");
    }
  }

  @Test
  void whatSeparatesPartsIsEscaped() {
    assertThat(text(common("host/rns.example.org"))).contains("/CN=host\\2Frns.example.org");
    assertThat(text(common("a,b+c\\d\u200b"))).contains("/CN=a\\2Cb\\2Bc\\5Cd\\E2\\80\\8B");
    assertThat(text(common("a=b; \"c\""))).contains("/CN=a=b; \"c\"");
  }

  @Test
  void emptyAndLongNamesHaveNoText() {
    assertThat(text(new X500Name(new RDN[0]))).isEmpty();
    int most = DistinguishedName.MOST_CHARACTERS - "/CN=".length();
    assertThat(text(common("x".repeat(most)))).isPresent();
    assertThat(text(common("x".repeat(most + 1)))).isEmpty();
  }
}
