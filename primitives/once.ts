/** Returns a function that makes a value when it is first asked for it, and gives the same one from then on. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
