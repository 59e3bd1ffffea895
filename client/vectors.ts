/** `tidemark-client/vectors`: the conformance vectors of the project, for implementations in other languages. */

import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'

/** Input, and the answer or the error that every implementation gives. */
export type VectorCase = {
  readonly name: string
  readonly operation: string
  readonly input: unknown
  readonly expected?: unknown
  readonly error?: { readonly code: string; readonly [fact: string]: unknown }
}
/** One file of vectors; its other fields are facts that its cases share. */
export type Vectors = {
  readonly format: string
  readonly about: string
  readonly cases: readonly VectorCase[]
  readonly [fact: string]: unknown
}

/** Returns all vectors by the name of their file: `requests`, `typed-data`, `levels`, ... */
export function readVectors(): Readonly<Record<string, Vectors>> {
  const compressed = readFileSync(new URL('./vectors.json.br', import.meta.url))
  return JSON.parse(brotliDecompressSync(compressed).toString()) as Record<string, Vectors>
}
