"""A client of zeep, made of what ?wsdl gives. Arguments: the URL of the service, and soap12 for SOAP 1.2."""

import sys
from datetime import timedelta

from lxml import etree
from zeep import Client
from zeep.exceptions import Fault

RNS_11 = "http://schemas.ogf.org/rns/2009/12/rns"
WSBF = "http://docs.oasis-open.org/wsrf/bf-2"


def same(what, actual, expected):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r} but was {actual!r}")


def refused(element, call):
    """The detail of the fault that a call meets."""
    try:
        answer = call()
    except Fault as fault:
        # Both versions of SOAP: the first element of the detail.
        detail = fault.detail[0]
        same("fault", etree.QName(detail).localname, element)
        same("Timestamp", detail.find(f"{{{WSBF}}}Timestamp") is not None, True)
        return detail
    raise AssertionError(f"{element} expected, but: {answer}")


def child(fault, name):
    """The text of a child of a fault. zeep lets the wildcard that base faults begin with take all children."""
    for element in fault["_value_1"]:
        if etree.QName(element).localname == name:
            return element.text
    return fault[name]


class Foreign:
    def __init__(self, url, version):
        self.client = Client(url + ("?wsdl=soap12" if version else "?wsdl"))
        self.naming = Client(url + "?wsdl=naming")
        self.suffix = "Soap12Port" if version else "Port"
        self.top = "zeep" + version

    def port(self, name, reference=None):
        """A port whose calls carry the parameters of a reference as headers."""
        parameters = reference["ReferenceParameters"]["_value_1"] if reference else []
        port = self.client.bind("RNSService", name + self.suffix)
        return lambda operation, *arguments, **named: getattr(port, operation)(
            *arguments, _soapheaders=[self.header(element) for element in parameters], **named
        )

    @staticmethod
    def header(parameter):
        """zeep gives what a schema tells of as an object of the element's name, and all else as an element."""
        if isinstance(parameter, etree._Element):
            return parameter
        element = etree.Element("{urn:rns:ext:1}" + type(parameter).__name__)
        element.text = parameter["_value_1"]
        return element

    def entry(self, name, address=None):
        if address is None:
            return {"entry-name": name}
        metadata = {"supports-rns": {"value": "false"}, "_value_1": []}
        return {"entry-name": name, "endpoint": {"Address": address}, "metadata": metadata}

    def fault(self, response, type_name):
        same(response["entry-name"], type(response["fault"]).__name__, type_name)
        same("Timestamp", child(response["fault"], "Timestamp") is not None, True)
        return response["fault"]

    def make_and_remove(self):
        root = self.port("RNS11")
        top = root("add", [self.entry(self.top)])[0]["endpoint"]
        links = self.port("RNS11", top)("add", [self.entry("links")])[0]["endpoint"]
        inside = self.port("RNS11", links)
        elsewhere = "http://elsewhere.example/f"
        added = inside("add", [self.entry("a", elsewhere), self.entry("b", elsewhere), self.entry("a", elsewhere)])
        same("added", len(added), 3)
        same("reference", added[0]["endpoint"]["Address"]["_value_1"], elsewhere)
        same("supports-rns", added[0]["metadata"]["supports-rns"]["value"], "false")
        same("exists", child(self.fault(added[2], "RNSEntryExistsFaultType"), "entry-name"), "a")

        found = inside("lookup", ["b", "none"])["entry-response"]
        same("found", found[0]["fault"], None)
        same("none", child(self.fault(found[1], "RNSEntryDoesNotExistFaultType"), "entry-name"), "none")
        same("all", len(inside("lookup")["entry-response"]), 2)

        mapping = [{"source-name": "a", "target-name": "b"}, {"source-name": "a", "target-name": "c"}]
        renamed = inside("rename", mapping)
        same("target", child(self.fault(renamed[0], "RNSEntryExistsFaultType"), "entry-name"), "b")
        same("renamed", renamed[1]["entry-name"], "c")

        told = inside("setMetadata", [{"entry-name": "c", "supports-rns": {"value": "unknown"}, "_value_1": []}])
        same("metadata", told[0]["metadata"]["supports-rns"]["value"], "unknown")

        search = self.port("RNSSearch", links)
        matches = search("search", query="/*[@entry-name = 'b']")["entry-response"]
        same("matches", [match["entry-name"] for match in matches], ["b"])
        refused("SearchFault", lambda: search("search", query="doc('http://elsewhere.example/')"))

        removed = inside("remove", ["c", "c"])
        same("removed", removed[0]["fault"], None)
        self.fault(removed[1], "RNSEntryDoesNotExistFaultType")
        return self.port("RNS11", top)("add", [self.entry("to-destroy")])[0]["endpoint"]

    def properties(self, directory):
        self.port("RNS11", directory)("add", [self.entry("child")])
        names = ["elementCount", "createTime", "accessTime", "modificationTime", "readable", "writable"]
        asked = [etree.QName(RNS_11, name) for name in names]
        properties = self.port("GetMultipleResourceProperties", directory)("GetMultipleResourceProperties", asked)
        # zeep leaves out what is nil, the accessTime.
        same("properties", len(properties), 5)
        same("elementCount", properties[0], 1)
        one = self.port("GetResourceProperty", directory)
        same("readable", one("GetResourceProperty", etree.QName(RNS_11, "readable")), [True])
        refused("InvalidResourcePropertyQNameFault", lambda: one("GetResourceProperty", etree.QName("urn:other", "size")))
        document = self.port("GetResourcePropertyDocument", directory)("GetResourcePropertyDocument")
        same("writable", document["_value_1"][-1], True)

        end = self.port("ScheduledResourceTermination", directory)
        time = {"RequestedLifetimeDuration": timedelta(minutes=30)}
        refused("UnableToSetTerminationTimeFault", lambda: end("SetTerminationTime", **time))

    def resolve(self, directory):
        parameters = [self.header(parameter) for parameter in directory["ReferenceParameters"]["_value_1"]]
        identifiers = [e.text for e in directory["Metadata"]["_value_1"] if etree.QName(e).localname == "EndpointIdentifier"]
        by_identifier = self.naming.bind("RNSNamingService", "EndpointIdentifierResolverPort")
        by_reference = self.naming.bind("RNSNamingService", "ReferenceResolverPort")
        for resolved in by_identifier.resolveEPI(identifiers[0]), by_reference.resolve(_soapheaders=parameters):
            found = [self.header(parameter).text for parameter in resolved["ReferenceParameters"]["_value_1"]]
            same("resolved", found, [parameter.text for parameter in parameters])
        refused("ResolveFailedFault", lambda: by_identifier.resolveEPI("urn:nobody"))

    def destroy(self, directory):
        port = self.port("ImmediateResourceTermination", directory)
        refused("ResourceNotDestroyedFault", lambda: port("Destroy"))
        self.port("RNS11", directory)("remove", ["child"])
        port("Destroy")
        refused("ResourceUnknownFault", lambda: port("Destroy"))
        refused("ResourceUnknownFault", lambda: self.port("RNS11", directory)("lookup"))

    def rns10(self):
        name = self.top + "-1.0"
        root = self.port("RNS10")
        made = root("add", entry_name=name)["entry_reference"][0]
        refused("RNSEntryExistsFaultType", lambda: root("add", entry_name=name))
        inside = self.port("RNS10", made)
        inside("add", entry_name="child")
        same("listed", len(inside("list")["EntryList"]["entry"]), 1)
        same("queried", inside("query")["EntryProperties"]["entry_name"], name)
        refused("RNSFaultType", lambda: inside("query", **{"entry-pattern": "none"}))
        refused("RNSDirectoryNotEmptyFaultType", lambda: root("remove", entry_name=name))
        same("removed", inside("remove", entry_name="child")["entry_name"], "child")
        same("removed", root("remove", entry_name=name)["entry_name"], name)

    def iterate(self):
        """Offsets begin at the first entry, and a block is what it happens to be."""
        made = self.port("RNS11")("add", [self.entry(self.top + "-many")])[0]["endpoint"]
        directory = self.port("RNS11", made)
        for start in range(0, 2500, 500):
            directory("add", [self.entry(f"n{i:04}", "http://elsewhere.example/f") for i in range(start, start + 500)])
        first = directory("lookup")
        names = [entry["entry-name"] for entry in first["entry-response"]]
        port = self.port("WSIterator", first["iterator"])
        while len(names) < 2500:
            block = port("iterate", **{"start-offset": len(names), "element-count": 333})
            same("size", block["iterator-size"], 2500)
            for element in block["iterable-element"]:
                same("index", element["index"], len(names))
                names.append(element["_value_1"][0].get("entry-name"))
        same("iterated", names, [f"n{i:04}" for i in range(2500)])
        time = self.port("ScheduledResourceTermination", first["iterator"])
        told = time("SetTerminationTime", RequestedLifetimeDuration=timedelta(minutes=30))
        same("later", told["NewTerminationTime"] > told["CurrentTime"], True)
        end = self.port("ImmediateResourceTermination", first["iterator"])
        end("Destroy")
        refused("ResourceUnknownFault", lambda: end("Destroy"))

    def walk(self, reference=None):
        """The names of all entries below a directory, by following the references that lookups give."""
        names = []
        for entry in self.port("RNS11", reference)("lookup")["entry-response"]:
            names.append(entry["entry-name"])
            if entry["metadata"]["supports-rns"]["value"] == "true":
                names += [entry["entry-name"] + "/" + below for below in self.walk(entry["endpoint"])]
        return names


def main():
    foreign = Foreign(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    directory = foreign.make_and_remove()
    foreign.properties(directory)
    foreign.resolve(directory)
    foreign.destroy(directory)
    foreign.rns10()
    foreign.iterate()
    same("walk", foreign.top + "/links/b" in foreign.walk(), True)
    print("all checks passed")


main()
