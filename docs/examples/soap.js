const soap = require('soap');
soap.createClientAsync('http://127.0.0.1:8080/rns/services/rns?wsdl=rns-1.1').then(async (rns) => {
  const home = { attributes: { 'entry-name': 'node-home' }, endpoint: { Address: 'https://example.org/' } };
  await rns.addAsync({ entry: [home] });
  const [found] = await rns.lookupAsync({ 'entry-name': ['node-home'] });
  for (const entry of found['entry-response']) {
    console.log(entry.attributes['entry-name'], '->', entry.endpoint.Address);
  }
});
