"""Notes and refuses every use of the network; Python imports it at start-up when its folder is on PYTHONPATH.

An audit hook sees what C code does as well, and the note in a file finds what a program catches and hides.
Events: https://docs.python.org/3/library/audit_events.html
"""

import os
import sys
from pathlib import Path

EVENTS = {
    "socket.connect",
    "socket.getaddrinfo",
    "socket.gethostbyaddr",
    "socket.gethostbyname",
    "socket.sendmsg",
    "socket.sendto",
}


def refuse(event, arguments):
    if event not in EVENTS:
        return
    address = arguments[1] if event in ("socket.connect", "socket.sendmsg", "socket.sendto") else arguments[0]
    if isinstance(address, (str, bytes)) and event not in ("socket.getaddrinfo", "socket.gethostbyname"):
        return  # a Unix socket: never leaves the machine
    with Path(os.environ["NETWORK_LOG"]).open("a", encoding="utf-8") as log:
        log.write(f"{event} {address!r} by {sys.argv}\n")
    raise OSError(f"the network is blocked: {event} {address!r}")


sys.addaudithook(refuse)
