#!/usr/bin/env python3
"""A program at the table that plays any legal decision until the game is over.

    python3 examples/bot.py http://localhost:4444 GAME CODE     takes a seat by invitation (docs/PROTOCOL.md)
    python3 examples/bot.py --engine                            speaks the line protocol (docs/ENGINE.md):
    grognard arena ardennes44 --player regular --player "program:python3 examples/bot.py --engine"

Only the standard library. Replace `decide` by something clever.
"""
import json, random, sys, urllib.error, urllib.request


def fill(option):
    """An action as text; one with parts has each part filled at random within its limits."""
    if not option.get("template"):
        return option["action"]
    words = []
    for slot in option["template"]["parts"]:
        most = min(slot["max"], len(slot["candidates"]))
        chosen = random.sample(slot["candidates"], random.randint(min(slot["min"], most), most))
        if chosen or not slot["candidates"]:
            words += [slot["words"], *chosen]
    return " ".join(word for word in words if word)


def decide(subjects, options, is_legal):
    """Random options of random subjects until one is legal."""
    while True:
        offered = options(random.choice(subjects))
        action = fill(random.choice(offered)) if offered else None
        if action and is_legal(action):
            return action


# ---------------------------------------------------------------- over the network


class Table:
    def __init__(self, base, game):
        self.base, self.game, self.token = base.rstrip("/"), game, None

    def http(self, method, path, body=None):
        """One request; returns (status, JSON)."""
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def call(self, **request):
        """What the WebSocket would carry, as a POST."""
        return self.http("POST", f"/api/games/{self.game}/call", {"id": 1, **request})

    def options(self, seat, subject):
        status, answer = self.call(type="options", seat=seat, subject=subject)
        return answer["options"] if status == 200 else []

    def act(self, seat, action, moment):
        """True if it was done, or if the game has moved on and must be looked at again."""
        status, answer = self.call(type="act", seat=seat, action=action, moment=moment)
        return status == 200 or answer["error"]["code"] != "illegal"

    def play(self, code):
        self.token = self.http("POST", "/api/guest", {"name": "Python"})[1]["token"]
        assert self.http("POST", f"/api/games/{self.game}/join", {"code": code})[0] == 200, "this invitation is not good"
        since = 0
        while True:
            status, state = self.http("GET", f"/api/games/{self.game}/state?since={since}&wait=30")
            assert status == 200, state
            now = state["now"]
            since = now["seq"]
            if now["status"] == "over":
                print("over:", now["result"]["outcome"])
                return
            if now["asks"]:
                ask = now["asks"][0]
                decide(
                    ask["subjects"],
                    lambda subject: self.options(ask["seat"], subject),
                    lambda action: self.act(ask["seat"], action, now["moment"]),
                )


# ---------------------------------------------------------------- as an engine


class Engine:
    def say(self, **message):
        print(json.dumps(message), flush=True)

    def query(self, **query):
        """Ask the host; the next line that matters is its answer."""
        self.say(type="query", id=1, query=query)
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "answer":
                return message.get("result")
        sys.exit()

    def play(self):
        for line in sys.stdin:
            message = json.loads(line)
            if message["type"] == "hello":
                self.say(type="ready", name="Python")
            elif message["type"] == "newgame":
                random.seed(message["seed"])
            elif message["type"] == "go":
                action = decide(
                    self.query(what="subjects"),
                    lambda subject: self.query(what="options", subject=subject),
                    lambda action: self.query(what="verdict", action=action)["legal"],
                )
                self.say(type="bestaction", action=action)
            elif message["type"] == "quit":
                return


if sys.argv[1:] == ["--engine"]:
    Engine().play()
elif len(sys.argv) == 4:
    Table(sys.argv[1], sys.argv[2]).play(sys.argv[3])
else:
    sys.exit(__doc__)
