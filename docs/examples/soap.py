from zeep import Client

rns = Client("http://127.0.0.1:8080/rns/services/rns?wsdl=rns-1.1").service
rns.add([{"entry-name": "zeep-home", "endpoint": {"Address": "https://example.org/"}}])
for entry in rns.lookup(["zeep-home"])["entry-response"]:
    print(entry["entry-name"], "->", entry["endpoint"]["Address"]["_value_1"])
