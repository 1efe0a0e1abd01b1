"""`python -m damier` is the command line."""

from damier.cli import main

if __name__ == "__main__":
    main()
