// A client of node's package soap, made of what ?wsdl=rns-1.1 gives. Argument: the URL of the service.
'use strict';
const assert = require('node:assert/strict');
const soap = require('soap');

const ELSEWHERE = 'http://elsewhere.example/f';

/** Lets further calls go to a reference: its parameter goes along as a header. */
function at(client, reference) {
  client.clearSoapHeaders();
  client.addSoapHeader({ EntryId: reference.ReferenceParameters.EntryId }, '', 'x', 'urn:rns:ext:1');
}

const names = (answer) => answer['entry-response'].map((response) => response.attributes['entry-name']);

async function check(url) {
  const client = await soap.createClientAsync(`${url}?wsdl=rns-1.1`);
  const [made] = await client.addAsync({ entry: [{ attributes: { 'entry-name': 'node' } }] });
  at(client, made['entry-response'][0].endpoint);

  const junction = { attributes: { 'entry-name': 'a' }, endpoint: { Address: ELSEWHERE } };
  const [added] = await client.addAsync({ entry: [junction, junction] });
  assert.equal(added['entry-response'][0].endpoint.Address, ELSEWHERE);
  assert.equal(added['entry-response'][1].fault['entry-name'], 'a');

  const [found] = await client.lookupAsync({ 'entry-name': ['a', 'none'] });
  assert.equal(found['entry-response'][0].endpoint.Address, ELSEWHERE);
  assert.equal(found['entry-response'][1].fault.ErrorCode.$value, 'NO_SUCH_ENTRY');
  assert.deepEqual(names((await client.lookupAsync({}))[0]), ['a']);

  const [removed] = await client.removeAsync({ 'entry-name': ['a'] });
  assert.equal(removed['entry-response'][0].fault, undefined);

  at(client, { ReferenceParameters: { EntryId: '0000ffffffffffff' } });
  await assert.rejects(client.lookupAsync({}), (error) => {
    const fault = error.root.Envelope.Body.Fault;
    assert.equal(fault.faultcode, '_s:Client');
    assert.equal(fault.detail.ResourceUnknownFault.ErrorCode.$value, 'NO_SUCH_ENTRY');
    return true;
  });
}

check(process.argv[2]).then(
  () => console.log('all checks passed'),
  (failure) => {
    console.error(failure);
    process.exitCode = 1;
  });
