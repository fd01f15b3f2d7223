"""What the worker process may not do: reach a network, start programs, write files, leave a core dump.

On Linux (x86-64, arm64) the kernel enforces it with a seccomp filter that every thread inherits, also when
a damaged model file takes over llama.cpp's parser. Elsewhere a Python audit hook refuses sockets and new
processes, which stops mistakes and not an attacker; `isolate` says which of the two is in force.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from typing import Literal

_PR_SET_SECCOMP = 22
_PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_MODE_FILTER = 2
_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000 | errno.EPERM

_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06  # BPF: ld w abs, jeq k, jge k, ret k
_NUMBER_OFFSET, _ARCHITECTURE_OFFSET = 0, 4  # in struct seccomp_data
_X32_BIT = 0x40000000

# System call numbers: include/uapi/asm-generic/unistd.h (arm64) and arch/x86/entry/syscalls/syscall_64.tbl.
_NETWORK = {
    "x86_64": {"socket": 41, "connect": 42, "accept": 43, "sendto": 44, "sendmsg": 46, "bind": 49,
               "listen": 50, "socketpair": 53, "accept4": 288, "sendmmsg": 307, "io_uring_setup": 425},
    "aarch64": {"socket": 198, "socketpair": 199, "bind": 200, "listen": 201, "accept": 202, "connect": 203,
                "sendto": 206, "sendmsg": 211, "accept4": 242, "sendmmsg": 269, "io_uring_setup": 425},
}  # fmt: skip
_OTHER_PROCESSES = {
    "x86_64": {"ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "pidfd_getfd": 438},
    "aarch64": {"ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "pidfd_getfd": 438},
}
_PROGRAMS = {"x86_64": {"execve": 59, "execveat": 322}, "aarch64": {"execve": 221, "execveat": 281}}
_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_REFUSED_EVENTS = ("socket.", "subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.system", "os.spawn")


def isolate(*, address_space_bytes: int | None, programs: bool) -> Literal["seccomp", "audit"]:
    """Give up rights for good; call after the imports and before the model file is opened.

    `programs`: keep the right to start programs (a GPU driver may need its helper).
    """
    _limit_resources(address_space_bytes)
    sys.addaudithook(_refuse)
    machine = platform.machine()
    if sys.platform == "linux" and machine in _NETWORK:
        refused = {**_NETWORK[machine], **_OTHER_PROCESSES[machine]}
        if not programs:
            refused |= _PROGRAMS[machine]
        if _install_filter(_filter_program(machine, sorted(refused.values()))):
            return "seccomp"
    return "audit"


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(_REFUSED_EVENTS):
        raise PermissionError(errno.EPERM, f"{event} is not allowed in the model's process")


def _limit_resources(address_space_bytes: int | None) -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if address_space_bytes is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        limit = address_space_bytes if hard == resource.RLIM_INFINITY else min(address_space_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    os.nice(5)


def _filter_program(machine: str, refused: list[int]) -> bytes:
    """A classic BPF program: refuse another architecture and the listed calls with EPERM, allow the rest."""
    count = len(refused)
    instructions = [
        (_LOAD, 0, 0, _ARCHITECTURE_OFFSET),
        (_IF_EQUAL, 0, count + 3, _AUDIT_ARCHITECTURE[machine]),
        (_LOAD, 0, 0, _NUMBER_OFFSET),
        (_IF_AT_LEAST, count + 1, 0, _X32_BIT),
        *((_IF_EQUAL, count - index, 0, number) for index, number in enumerate(refused)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in instructions)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _install_filter(program: bytes) -> bool:
    """Put the filter on this thread and all it starts; False when the kernel has no seccomp."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    buffer = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // 8, ctypes.addressof(buffer))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(header), 0, 0) == 0)
