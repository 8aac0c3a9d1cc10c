"""More ways to say the facts of the treadmill, for wordings that nobody had in view when it was decided what is closed.

Written after that, by somebody who knew the tables; no table was changed for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

UNSEEN: Mapping[str, Sequence[str]] = {
    "port": (
        "Reach {r} under {v}",
        "{r} accepts traffic on {v}",
        "{r} picks up at {v}",
        "Send your requests for {r} to {v}",
        "{r} can be reached at {v}",
        "Connect to {r} via {v}",
        "{v} belongs to {r}",
        "{r} exposes {v} to its users",
        "Clients of {r} connect to {v}",
        "Port {v} is taken by {r}",
        "Open a socket to {v} and {r} replies",
        "{r} was given the port {v}",
    ),
    "pool": (
        "{r} may use {v} connections at once",
        "{r} opens {v} connections",
        "There are {v} connections for {r}",
        "{r} never needs more than {v} connections",
        "{v} connections are available to {r}",
        "{r} has been given {v} connections",
        "{r} shares {v} connections among its workers",
        "The pool {r} draws from is {v} connections deep",
        "{r} can open {v} connections",
        "Connections of {r}: {v}",
        "{r} caps at {v} connections",
        "A set of {v} connections serves {r}",
    ),
    "timeout": (
        "{r} waits {v} s and then stops waiting",
        "{r} hangs up after {v} s",
        "After {v} s {r} considers a call dead",
        "Calls to {r} fail after {v} s",
        "{r} allows a call {v} s",
        "Nobody waits longer than {v} s for {r}",
        "{r} closes idle calls after {v} s",
        "{r} kills a call at {v} s",
        "A call to {r} can take {v} s",
        "{r} drops the line after {v} s",
        "{v} s is all {r} gives a call",
        "{r} expects an answer within {v} s",
    ),
    "retention": (
        "{r} deletes its logs after {v} days",
        "{r} drops logs once they are {v} days old",
        "Logs of {r} can be read for {v} days",
        "{r} archives {v} days",
        "Old logs of {r} go after {v} days",
        "{r} has logs of the last {v} days",
        "You find {v} days of logs in {r}",
        "Logs in {r} expire after {v} days",
        "{r} rotates its logs every {v} days",
        "Nothing in {r} is kept beyond {v} days",
        "{r} writes logs that last {v} days",
        "Histories of {r} cover {v} days",
    ),
    "owner": (
        "Team {v} runs {r}",
        "{r} is run by team {v}",
        "{r} is maintained by team {v}",
        "Team {v} is responsible for {r}",
        "Contact team {v} about {r}",
        "Team {v} operates {r}",
        "{r} falls to team {v}",
        "Team {v} built {r} and keeps it",
        "{r} is in the care of team {v}",
        "Pages from {r} reach team {v}",
        "Speak to team {v} if {r} fails",
        "The owner of {r} is team {v}",
    ),
}
