import { isServiceError } from '../../primitives/errors.ts'

/** One vector: input, and either the expected answer or the code of the error. */
export type VectorCase = {
  readonly name: string
  readonly operation: string
  readonly input: object
  readonly expected?: unknown
  readonly error?: { readonly code: string }
}

export type VectorFile = {
  readonly format: 'tidemark-vectors-1'
  readonly about: string
  readonly [facts: string]: unknown
  readonly cases: readonly VectorCase[]
}

/** Creates a file of vectors. */
export function vectorFile(about: string, cases: readonly VectorCase[], facts: object = {}): VectorFile {
  return { format: 'tidemark-vectors-1', about, ...facts, cases }
}

/** Creates one case: the answer of an operation, or the code of the error that it throws. */
export function vectorCase<I extends object>(
  name: string,
  operation: string,
  input: I,
  answer: (input: I) => unknown,
): VectorCase {
  try {
    return { name, operation, input, expected: answer(input) }
  } catch (error) {
    if (isServiceError(error)) return { name, operation, input, error: { code: error.code } }
    throw error
  }
}

/** Writes a file of vectors; the same bytes on every machine. */
export function vectorText(file: VectorFile): string {
  return `${JSON.stringify(file, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 1)}\n`
}
