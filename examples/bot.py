#!/usr/bin/env python3
"""A program at a served table: takes a seat by invitation and plays any legal decision until the game is over.

    python3 examples/bot.py http://localhost:4444 GAME CODE

GAME and CODE are the end of an invitation's link (/#/join/GAME/CODE). Only the standard library; docs/PROTOCOL.md
tells the whole story. Replace `decide` by something clever.
"""
import json, random, sys, urllib.error, urllib.request


def fill(option):
    """An action as text; one with parts has each part filled at random within its limits."""
    words = []
    for slot in (option.get("template") or {"parts": []})["parts"]:
        most = min(slot["max"], len(slot["candidates"]))
        chosen = random.sample(slot["candidates"], random.randint(min(slot["min"], most), most))
        if chosen or not slot["candidates"]:
            words += [slot["words"], *chosen]
    return " ".join(word for word in words if word) or option["action"]


def decide(subjects, options, legal):
    """Random options of random subjects until one is legal."""
    while True:
        offered = options(random.choice(subjects))
        action = fill(random.choice(offered)) if offered else None
        if action and legal(action):
            return action


def main(base, game, code):
    token = None

    def http(method, path, body=None):
        """One request; returns (status, JSON)."""
        headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {token}"} if token else {})}
        data = None if body is None else json.dumps(body).encode()
        try:
            with urllib.request.urlopen(urllib.request.Request(base + path, data, headers, method=method), timeout=90) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    token = http("POST", "/api/guest", {"name": "Python"})[1]["token"]
    assert http("POST", f"/api/games/{game}/join", {"code": code})[0] == 200, "this invitation is not good"
    call = lambda **request: http("POST", f"/api/games/{game}/call", {"id": 1, **request})
    now = {"seq": 0, "status": "waiting"}
    while now["status"] != "over":
        now = http("GET", f"/api/games/{game}/state?since={now['seq']}&wait=30")[1]["now"]
        for ask in now["asks"][:1]:
            options = lambda subject: call(type="options", seat=ask["seat"], subject=subject)[1].get("options", [])
            # On `illegal` something else is tried; any other refusal means: look again.
            act = lambda action: call(type="act", seat=ask["seat"], action=action, moment=now["moment"])
            decide(ask["subjects"], options, lambda action: act(action)[1].get("error", {}).get("code") != "illegal")
    print("over:", now["result"]["outcome"])


if __name__ == "__main__":
    main(*sys.argv[1:]) if len(sys.argv) == 4 else sys.exit(__doc__)
