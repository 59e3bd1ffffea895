import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'

type Check = (value: unknown) => boolean

const checks = new WeakMap<TSchema, Check>()

/**
 * Returns the compiled check of a schema, compiled once in this process: endpoints share most of their parameters. The first value
 * compiles it, so that a process starts without the checks of all endpoints.
 */
export function compiledCheck(schema: TSchema): Check {
  const known = checks.get(schema)
  if (known !== undefined) return known
  let validator: ReturnType<typeof Compile> | null = null
  const check: Check = (value) => {
    validator ??= Compile(schema)
    return validator.Check(value)
  }
  checks.set(schema, check)
  return check
}
