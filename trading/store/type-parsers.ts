import pg from 'pg'
import { InvariantError } from '../../primitives/errors.ts'
import { type Micros, toMicros } from '../../primitives/instants.ts'

const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [pg.types.builtins.INT8]: wholeNumber,
  [pg.types.builtins.TIMESTAMPTZ]: instant,
  [pg.types.builtins.BYTEA]: (text) => text.slice(2),
}

/**
 * Types of parsed values: `bigint` as a safe integer, `timestamptz` as microseconds, `bytea` as hex, `json` parsed. The
 * library's own parsers return text for the first and lose the microseconds of the second.
 */
export const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    format === 'binary' ? pg.types.getTypeParser(oid, format) : (PARSERS[oid] ?? pg.types.getTypeParser(oid))) as never,
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new InvariantError(`${text} is a safe integer`)
  return value
}

/** Parses `2026-01-31 12:00:00.123456+00`; sessions are in UTC. */
function instant(text: string): Micros {
  return toMicros(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
}
