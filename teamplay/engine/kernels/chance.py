"""Random numbers and hashes that are the same plain and compiled: no sum or product outgrows 63 bits unmasked."""

KERNELS = True

WORD = 0xFFFFFFFF


def mix(number):
    """A hash of a number of up to 62 bits."""
    mixed = ((number & 0x7FFFFFFF) * 0x9E3779B1 + (number >> 31) * 0x85EBCA77) & 0x7FFFFFFFFFFFFFF
    return mixed ^ (mixed >> 29)


def seed(state, number):
    """Set `state` (int64[4]) from any whole number."""
    mixed = number & WORD
    for i in range(4):
        mixed = (mixed * 1664525 + 1013904223 + (number >> 32)) & WORD
        state[i] = mixed ^ (mixed >> 16) | 1
    for _ in range(16):
        draw(state, 2)


def draw(state, limit):
    """A number from 0 to `limit` - 1, by Marsaglia's xorshift128."""
    new = state[0] ^ ((state[0] << 11) & WORD)
    state[0], state[1], state[2] = state[1], state[2], state[3]
    state[3] = state[3] ^ (state[3] >> 19) ^ new ^ (new >> 8)
    return (state[3] * limit) >> 32
