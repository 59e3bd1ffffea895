import { invariant } from '../../../primitives/errors.ts'

/** @throws {InvariantError} what is seen is not what the model says */
export function same<T extends string | number | bigint | boolean | null>(what: string, seen: T, expected: T): void {
  invariant(seen === expected, `${what}: ${seen}, the model says ${expected}`)
}
