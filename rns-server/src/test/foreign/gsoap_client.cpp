// A client of gSOAP, made by wsdl2h and soapcpp2 of what ?wsdl=rns-1.1 gives. Argument: the URL of the service.
#include "RNS11Soap11Binding.nsmap"
#include "soapRNS11Soap11BindingProxy.h"
#include <cstring>
#include <iostream>
#include <stdexcept>

static void same(const std::string& what, const std::string& actual, const std::string& expected) {
  if (actual != expected) {
    throw std::runtime_error(what + ": expected " + expected + " but was " + actual);
  }
}

/** Fails if a call has. */
static void done(RNS11Soap11BindingProxy& port, int result) {
  if (result != SOAP_OK) {
    port.soap_stream_fault(std::cerr);
    throw std::runtime_error("a call has failed");
  }
}

static rns__RNSEntryType* entry(soap* context, const std::string& name) {
  rns__RNSEntryType* entry = soap_new_rns__RNSEntryType(context);
  entry->entry_name = name;
  return entry;
}

static void check(const std::string& url) {
  RNS11Soap11BindingProxy port(SOAP_XML_INDENT);
  port.soap_endpoint = url.c_str();
  rns__AddRequestType directory;
  directory.entry.push_back(entry(port.soap, "gsoap"));
  rns__AddResponseType made;
  done(port, port.add(&directory, made));
  same("supports-rns", std::to_string(made.entry_response[0]->metadata->supports_rns->value), std::to_string(rns__RNSSupportType__true_));

  // The target of a call may stand in the URL.
  const std::string below = url + "/gsoap";
  port.soap_endpoint = below.c_str();
  rns__RNSEntryType* junction = entry(port.soap, "a");
  junction->endpoint = soap_new_wsa5__EndpointReferenceType(port.soap);
  junction->endpoint->Address = soap_strdup(port.soap, "http://elsewhere.example/f");
  rns__AddRequestType junctions;
  junctions.entry.assign(2, junction);
  rns__AddResponseType added;
  done(port, port.add(&junctions, added));
  same("address", added.entry_response[0]->endpoint->Address, "http://elsewhere.example/f");
  auto* exists = dynamic_cast<rns__RNSEntryExistsFaultType*>(added.entry_response[1]->fault);
  same("exists", exists == nullptr ? "no such fault" : exists->entry_name, "a");

  rns__LookupRequestType names;
  names.entry_name = {"a", "none"};
  rns__LookupResponseType found;
  done(port, port.lookup(&names, found));
  same("found", found.entry_response[0]->endpoint->Address, "http://elsewhere.example/f");
  auto* none = dynamic_cast<rns__RNSEntryDoesNotExistFaultType*>(found.entry_response[1]->fault);
  same("none", none == nullptr ? "no such fault" : none->entry_name, "none");
  rns__LookupRequestType all;
  rns__LookupResponseType listed;
  done(port, port.lookup(&all, listed));
  same("listed", std::to_string(listed.entry_response.size()), "1");

  rns__RemoveRequestType gone;
  gone.entry_name = {"a"};
  rns__RemoveResponseType removed;
  done(port, port.remove(&gone, removed));
  same("removed", removed.entry_response[0]->fault == nullptr ? "yes" : "no", "yes");

  const std::string nowhere = url + "/gsoap/none";
  port.soap_endpoint = nowhere.c_str();
  same("refused", std::to_string(port.lookup(&all, listed) == SOAP_OK), "0");
  same("faultcode", port.soap_fault_string() == nullptr ? "" : strrchr(*soap_faultcode(port.soap), ':'), ":Client");
  same("detail", std::to_string(strstr(soap_fault_detail(port.soap), "ResourceUnknownFault") != nullptr), "1");
}

int main(int, char** arguments) {
  try {
    check(arguments[1]);
    std::cout << "all checks passed" << std::endl;
    return 0;
  } catch (const std::exception& failure) {
    std::cerr << failure.what() << std::endl;
    return 1;
  }
}
