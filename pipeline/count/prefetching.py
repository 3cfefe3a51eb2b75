"""Asking for memory before it is needed: compiled kernels then wait less for it."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _prefetch(_context: Any, array: Any, _index: Any) -> Any:
    """Ask for the cache line of `array[index]`, which is about to be read and written."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        called = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], called)
        address = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        builder.call(fetch, [address, number(1), number(3), number(1)])  # to write, to keep, data
        return context.get_dummy_value()

    return types.void(array, types.int64), code


prefetch: Any = intrinsic(_prefetch)
