import { type ContractSchema, resolved } from './operations.ts'

/** Values that a pattern accepts, for schemas without an example: the first that matches is shown. */
const CANDIDATES = [
  '0.52',
  '2026-01-17T00:00:00Z',
  '2026-01-17T00:00:00.000000Z',
  '2026-01-17',
  'PT1H',
  '1.0.0',
  '1',
  'a'.repeat(64),
  `0x${'ab'.repeat(20)}`,
  `0x${'ab'.repeat(32)}`,
  'text',
  'txt_1',
  'https://example.com/a',
  'MR2',
  'SEV-2',
  'M1',
  'USD',
  'example',
] as const
/** Deepest nesting that is shown. */
const DEPTH_MAX = 8

/** Returns a value that a schema accepts: its examples and first choices, so that every field is shown. */
export function sampleOfSchema(given: ContractSchema, depth = 0): unknown {
  const schema = resolved(given)
  if (schema.examples?.[0] !== undefined) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  if (schema.anyOf !== undefined) return sampleOfSchema(firstShown(schema.anyOf), depth)
  if (schema.type === 'array') return sampleOfArray(schema, depth)
  if (schema.type === 'object' || schema.properties !== undefined) return sampleOfObject(schema, depth)
  if (schema.type === 'integer' || schema.type === 'number') return schema.default ?? schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (schema.type === 'null') return null
  if (schema.type === undefined) return {}
  return sampleOfText(schema)
}

/** Returns the choice with the most to show: anything before null. */
function firstShown(choices: readonly ContractSchema[]): ContractSchema {
  return choices.find((choice) => resolved(choice).type !== 'null') ?? choices[0]!
}

function sampleOfArray({ items, minItems = 0 }: ContractSchema, depth: number): unknown {
  if (items === undefined || (depth >= DEPTH_MAX && minItems === 0)) return []
  return [sampleOfSchema(items, depth + 1)]
}

function sampleOfObject({ properties = {}, required = [] }: ContractSchema, depth: number): unknown {
  const shown = Object.entries(properties).filter(([name]) => depth < DEPTH_MAX || required.includes(name))
  return Object.fromEntries(shown.map(([name, field]) => [name, sampleOfSchema(field, depth + 1)]))
}

function sampleOfText({ pattern }: ContractSchema): string {
  if (pattern === undefined) return 'text'
  const rule = new RegExp(pattern)
  return CANDIDATES.find((candidate) => rule.test(candidate)) ?? 'text'
}
