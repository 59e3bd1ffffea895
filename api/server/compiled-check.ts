import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

type Check = (value: unknown) => boolean

const checks = new WeakMap<TSchema, Check>()

/** Returns the compiled check of a schema, compiled once in this process: endpoints share most of their parameters. */
export function compiledCheck(schema: TSchema): Check {
  const known = checks.get(schema)
  if (known !== undefined) return known
  const validator = Compile(schema)
  const check: Check = (value) => validator.Check(value)
  checks.set(schema, check)
  return check
}
