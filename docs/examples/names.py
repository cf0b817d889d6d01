import json, urllib.request

def rns(method, path, document=None):
    body = None if document is None else json.dumps(document).encode()
    request = urllib.request.Request("http://127.0.0.1:8080/rns/names" + path, body, method=method)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

rns("PUT", "/python/home?parents", {"references": ["https://www.python.org/"], "metadata": {"lang": "en"}})
for entry in rns("GET", "/python?list")["entries"]:
    print(entry["path"], entry["references"][0]["address"])
