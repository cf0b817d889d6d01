<?php
$rns = new SoapClient('http://127.0.0.1:8080/rns/services/rns?wsdl=rns-1.1', ['features' => SOAP_SINGLE_ELEMENT_ARRAYS]);
$home = ['entry-name' => 'php-home', 'endpoint' => ['Address' => ['_' => 'https://example.org/']]];
$rns->add(['entry' => [$home]]);
foreach ($rns->lookup(['entry-name' => ['php-home']])->{'entry-response'} as $entry) {
  echo $entry->{'entry-name'}, ' -> ', $entry->endpoint->Address->_, "\n";
}
