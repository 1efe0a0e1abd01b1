"""Lessons: textbook algorithms, step by step, on a tree or on a position.

`trees` has the trees, `record` the recorded steps; `classical`, `pruning`, `montecarlo` and `paths` are the algorithms,
and `running` runs one of them. `text`, `drawing` and `page` show a trace in a terminal, as SVG and as a web page;
`exercises` asks questions and checks the answers.
"""

from damier.lessons.exercises import Answers, Exercise, Verdict, exercise
from damier.lessons.record import Look, Step, Term, Trace
from damier.lessons.running import ALGORITHMS, trace
from damier.lessons.trees import TreeNode, tree_names

__all__ = [
    "ALGORITHMS",
    "Answers",
    "Exercise",
    "Look",
    "Step",
    "Term",
    "Trace",
    "TreeNode",
    "Verdict",
    "exercise",
    "trace",
    "tree_names",
]
