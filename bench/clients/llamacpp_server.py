"""Starts llama.cpp's server, its own HTTP routes, as xllamacpp compiles it into a Python module.

python llamacpp_server.py MODEL CONTEXT PORT
"""

import sys
import time

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path, params.n_ctx, params.port = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
params.n_parallel, params.n_predict, params.warmup = 1, 24, False
server = xllamacpp.Server(params)
while True:
    time.sleep(60)
