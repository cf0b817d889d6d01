<?php
// A client of PHP's SoapClient, made of what ?wsdl=rns-1.1 gives. Argument: the URL of the service.

const EXT = 'urn:rns:ext:1';

$url = $argv[1];
$options = ['exceptions' => true, 'features' => SOAP_SINGLE_ELEMENT_ARRAYS];
$whole = new SoapClient("$url?wsdl", $options);
same('functions of all versions', count($whole->__getFunctions()) >= 16, true);
$rns = new SoapClient("$url?wsdl=rns-1.1", $options);

function same(string $what, $actual, $expected): void {
  if ($actual !== $expected) {
    throw new Exception("$what: expected " . var_export($expected, true) . ' but was ' . var_export($actual, true));
  }
}

/** Lets further calls go to a reference: its parameter goes along as a header. */
function at(SoapClient $client, $reference): SoapClient {
  $client->__setSoapHeaders(new SoapHeader(EXT, 'EntryId', $reference->ReferenceParameters->any['EntryId']->_));
  return $client;
}

$added = $rns->add(['entry' => [['entry-name' => 'php']]])->{'entry-response'}[0];
at($rns, $added->endpoint);
$junction = ['entry-name' => 'a', 'endpoint' => ['Address' => ['_' => 'http://elsewhere.example/f']],
  'metadata' => ['supports-rns' => ['value' => 'false']]];
// PHP writes a value that stands twice in one request once, and a pointer to it: hence two requests.
$made = $rns->add(['entry' => [$junction]])->{'entry-response'}[0];
same('address', $made->endpoint->Address->_, 'http://elsewhere.example/f');
$refused = $rns->add(['entry' => [$junction]])->{'entry-response'}[0];
same('exists', $refused->fault->{'entry-name'}, 'a');

$found = $rns->lookup(['entry-name' => ['a', 'none']])->{'entry-response'};
same('found', $found[0]->{'entry-name'}, 'a');
same('none', isset($found[1]->fault->Timestamp), true);
same('listed', count($rns->lookup([])->{'entry-response'}), 1);
same('removed', isset($rns->remove(['entry-name' => ['a']])->{'entry-response'}[0]->fault), false);

$rns->__setSoapHeaders(new SoapHeader(EXT, 'EntryId', '0000ffffffffffff'));
try {
  $rns->lookup([]);
  same('lookup', 'answered', 'refused');
} catch (SoapFault $fault) {
  same('faultcode', $fault->faultcode, '_s:Client');
  same('detail', isset($fault->detail->ResourceUnknownFault), true);
}
echo "all checks passed\n";
