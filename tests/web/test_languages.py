"""The server answers in the language of who asks: errors, boards and lessons, by request and live."""

import json
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from tests.web.inside import Inside, hear

FRENCH = {"Accept-Language": "fr"}

MISTAKES: list[tuple[str, dict[str, Any], str]] = [
    ("positions", {"game": "tictactoe", "moves": ["z9"]}, "le coup « z9 » n’est pas permis"),
    ("positions", {"game": "tictactoe", "moves": ["a1", "a2", "b1", "b2", "c1", "c3"]}, "la partie est finie"),
    ("positions", {"game": "conect4"}, "il n’y a pas de jeu « conect4 » ; vouliez-vous dire « connect4 » ?"),
    ("positions", {"game": "connect4:row=3"}, "connect4 n’a pas d’option « row » ; ses options sont"),
    ("positions", {"game": "connect4:rows=x"}, "connect4 : rows doit être un nombre entier, pas « x »"),
    ("positions", {"game": "connect4:rows=999"}, "connect4 : ce serveur permet rows jusqu’à"),
    ("positions", {"game": "x.py:Y"}, "les jeux dans des fichiers ne sont pas permis ici"),
    ("games", {"game": "tictactoe", "seats": ["human"]}, "tictactoe a 2 places, et 1 joueur a été donné"),
    ("games", {"game": "tictactoe", "seats": ["human", "nobody"]}, "il n’y a pas de joueur « nobody »"),
    ("games", {"game": "tictactoe", "seats": ["human", "uct:seconds=1000"]}, "uct : ce serveur permet seconds"),
    ("games/there-is-no-such-key/moves", {"move": "a1"}, "il n’y a pas de partie avec cette clé"),
    ("lessons", {"tree": "walk", "depth": 99}, "depth : on attend un nombre d’au plus 12"),
    ("lessons", {"tree": "walk", "depth": "x"}, "depth : on attend un nombre"),
    ("lessons", {"text": "max(3"}, "tree, ligne 1, colonne 4 : il manque une « ) » pour cette « ( »"),
    ("lessons", {"text": "max(3 chance(1/2: 3))"}, "la somme des probabilités d’un nœud de hasard doit être 1"),
    ("lessons", {"text": "min(3 3) 4"}, "on n’attend rien après l’arbre, mais il y a « 4 »"),
]


@pytest.mark.parametrize(("route", "body", "told"), MISTAKES)
def test_mistakes_are_told_in_the_language_of_the_request(
    inside: Inside, route: str, body: dict[str, Any], told: str
) -> None:
    french = inside.client.post(f"/api/{route}", json=body, headers=FRENCH)
    english = inside.client.post(f"/api/{route}", json=body)
    assert french.status_code == english.status_code >= 400
    assert told in french.json()["error"]
    assert "«" not in english.json()["error"]


def test_a_lesson_of_another_process_comes_in_french(client: httpx.Client) -> None:
    asked = {"algorithm": "alphabeta", "tree": "walk"}
    lesson = client.post("/api/lessons", json=asked, headers=FRENCH).json()
    assert lesson["steps"][0]["told"] == "la racine : Max joue, α=-∞ β=+∞"
    assert lesson["legend"]["seen"] == "visité"
    assert client.post("/api/lessons", json=asked).json()["steps"][0]["told"].startswith("the root")
    refused = client.post("/api/lessons", json={"algorithm": "minimax", "tree": "coin"}, headers=FRENCH)
    assert refused.json()["error"] == "minimax est pour les jeux sans hasard ; essayez expectiminimax sur coin"


def test_boards_and_the_live_connection_speak_french(inside: Inside) -> None:
    pig = {"game": "pig", "moves": []}
    assert "0 point sur 100" in inside.client.post("/api/positions", json=pig, headers=FRENCH).json()["board"]["text"]
    assert "0 of 100 points" in inside.client.post("/api/positions", json=pig).json()["board"]["text"]
    key = inside.client.post("/api/games", json={"game": "pig", "seats": ["human"]}).json()["id"]
    with connect(f"ws://127.0.0.1:{inside.port}/api/live?lang=fr") as french, inside.connect() as english:
        for socket, points in ((french, "0 point sur 100"), (english, "0 of 100 points")):
            socket.send(json.dumps({"do": "watch", "id": key}))
            assert points in hear(socket)["state"]["board"]["text"]
        inside.client.post(f"/api/games/{key}/resign", json={})
        for socket, points in ((french, "0 point sur 100"), (english, "0 of 100 points")):
            assert points in hear(socket)["state"]["board"]["text"]  # one change, told to each in their language
        french.send(json.dumps({"do": "look"}))
        assert hear(french)["error"].startswith("il n’y a pas d’arbre à regarder")
