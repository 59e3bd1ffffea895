/** A source of whole numbers that a seed determines. */
export type WholeNumbers = {
  /** A whole number in [0, below); `below` from 1 to 2^31. */
  int(below: number): number
}

/** SplitMix32: 32-bit integer arithmetic only, so every machine gives the same numbers. */
export function createRandom(seed: number): WholeNumbers {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
  return { int: (below) => next() % below }
}
