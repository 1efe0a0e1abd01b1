"""A client of the web application: plays random moves in a game of Connect 4 and prints the result.

python examples/web_client.py http://127.0.0.1:8000
"""

import random
import sys
import time

import httpx

address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
with httpx.Client(base_url=address, timeout=60) as client:
    new = {"game": "connect4", "seats": ["human", "uct:sims=100"]}
    game = client.post("/api/games", json=new).raise_for_status().json()
    print(f"watch it at {address}/#/game/{game['id']}")
    while not game["is_over"]:
        if game["player"] == 0:
            move = random.choice(game["moves"])["notation"]
            game = client.post(f"/api/games/{game['id']}/moves", json={"move": move}).json()
        else:  # the server is thinking
            time.sleep(0.1)
            game = client.get(f"/api/games/{game['id']}").json()
    print(" ".join(move["notation"] for move in game["line"]))
    print({1: "won", 0: "drawn", -1: "lost"}[game["returns"][0]])
