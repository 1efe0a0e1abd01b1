"""Which of the two runs of the tests proves something: the one without the compiler, or the one with it."""

import pytest

from damier.core.compile import COMPILER_ON

without_compiler = pytest.mark.skipif(COMPILER_ON, reason="runs with NUMBA_DISABLE_JIT=1, where it costs less")
