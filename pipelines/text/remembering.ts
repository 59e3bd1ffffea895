/** Returns a function that calculates the value of each key once. Values depend on their key alone; memory is bounded by `max` keys. */
export function remembering<K, V>(calculate: (key: K) => V, max = 20_000): (key: K) => V {
  const known = new Map<K, V>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = calculate(key)
    if (known.size >= max) known.clear()
    known.set(key, value)
    return value
  }
}
