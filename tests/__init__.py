"""The tests of Wordkin, with what its libraries have to know before they are loaded.

Several processes test side by side. A thread that waits for work must not spin on the core that
another process needs: threads of OpenMP sleep at once, and BLAS, whose matrices are tiny here, does
without threads. Tests that are about threads say how many they use.
"""

import os

os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
