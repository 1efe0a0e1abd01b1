"""Card games with tricks on one engine: whist, hearts, belote and the card play of bridge."""
