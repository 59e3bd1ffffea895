/** Returns the value at a JSON Pointer (RFC 6901) of a document; undefined: there is none. */
export function valueAt(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], root)
}
