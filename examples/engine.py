#!/usr/bin/env python3
"""A program that speaks the line protocol (docs/ENGINE.md): it plays any legal decision for whoever hosts it.

    grognard arena ardennes44 --player regular --player "program:python3 examples/engine.py"

Only the standard library. It knows no rule: it asks its host. `decide` is that of bot.py beside it.
"""
import json, random, sys

sys.dont_write_bytecode = True  # the folder stays as it is
from bot import decide


def say(**message):
    print(json.dumps(message), flush=True)


def query(**question):
    """Ask the host; the next line that matters is its answer."""
    say(type="query", id=1, query=question)
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "answer":
            return message.get("result")
    sys.exit()


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        say(type="ready", name="Python")
    elif message["type"] == "newgame":
        random.seed(message["seed"])
    elif message["type"] == "go":
        action = decide(
            query(what="subjects"),
            lambda subject: query(what="options", subject=subject),
            lambda action: query(what="verdict", action=action)["legal"],
        )
        say(type="bestaction", action=action)
    elif message["type"] == "quit":
        break
