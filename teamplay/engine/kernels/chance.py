"""Random numbers and hashes that are the same plain and compiled: no sum or product outgrows 63 bits unmasked."""

KERNELS = VIEWS = True
INLINE = ("mix", "draw", "scramble")

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
    new = scramble(state[0], state[3])
    state[0], state[1], state[2] = state[1], state[2], state[3]
    state[3] = new
    return (new * limit) >> 32


def scramble(oldest, newest):
    """The next of the numbers of xorshift128, from the last but three and the last."""
    new = oldest ^ ((oldest << 11) & WORD)
    return newest ^ (newest >> 19) ^ new ^ (new >> 8)
