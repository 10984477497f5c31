#!/usr/bin/env python3
"""A program at the table: takes a seat by invitation and plays any legal decision until the game is over.

    python3 examples/bot.py http://localhost:4444 GAME CODE

Only the standard library, only HTTP: docs/PROTOCOL.md tells what is asked here, and how to do it with a WebSocket.
"""
import json, random, sys, urllib.error, urllib.request

BASE, GAME, CODE = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3]
TOKEN = None


def http(method, path, body=None):
    """One request; returns (status, JSON)."""
    headers = {"Content-Type": "application/json"}
    if TOKEN:
        headers["Authorization"] = "Bearer " + TOKEN
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(BASE + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=90) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def call(**request):
    """What the WebSocket would carry, as a POST."""
    return http("POST", f"/api/games/{GAME}/call", {"id": 1, **request})


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


def decide(ask, moment):
    """Try random options of random subjects until one is accepted."""
    while True:
        subject = random.choice(ask["subjects"])
        status, answer = call(type="options", seat=ask["seat"], subject=subject)
        if status != 200 or not answer["options"]:
            continue
        action = fill(random.choice(answer["options"]))
        status, answer = call(type="act", seat=ask["seat"], action=action, moment=moment)
        if status == 200 or answer["error"]["code"] != "illegal":
            return  # done, or the game has moved on: look again


TOKEN = http("POST", "/api/guest", {"name": "Python"})[1]["token"]
assert http("POST", f"/api/games/{GAME}/join", {"code": CODE})[0] == 200, "this invitation is not good"
since = 0
while True:
    status, state = http("GET", f"/api/games/{GAME}/state?since={since}&wait=30")
    assert status == 200, state
    now = state["now"]
    since = now["seq"]
    if now["status"] == "over":
        print("over:", now["result"]["outcome"])
        break
    if now["asks"]:
        decide(now["asks"][0], now["moment"])
