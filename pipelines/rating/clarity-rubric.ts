import Type, { type Static } from 'typebox'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { Decimal, type DecimalString } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { CLOSED, Name, Text, Whole } from '../evidence/form-types.ts'
import { readForm } from '../evidence/read-form.ts'

const Patterns = Type.Array(Text)

/**
 * Rubric that scores the text of a market's rules: for each item the first matching pattern gives full or half
 * points. Patterns are case-insensitive regular expressions.
 */
const ClarityRubricSchema = Type.Object(
  {
    rubric: Type.Object({ rubric_id: Name, version: Name }, CLOSED),
    items: Type.Array(Type.Object({ item: Name, points: Whole, full: Patterns, half: Patterns }, CLOSED), {
      minItems: 1,
    }),
  },
  CLOSED,
)

/** The rubric with compiled patterns. */
export type ClarityRubric = {
  readonly rubric_id: string
  readonly version: string
  readonly items: readonly {
    readonly item: string
    readonly points: number
    readonly full: readonly RegExp[]
    readonly half: readonly RegExp[]
  }[]
}

/** Points of one item, and the characters [from, to) that earned them. */
export type ScoredItem = {
  readonly item: string
  readonly points: DecimalString
  readonly span: { readonly from: number; readonly to: number; readonly text: string } | null
}

/** Rules of a market's resolution. */
export type MarketRules = {
  readonly resolution_question: string | null
  readonly resolution_criteria: string | null
  readonly resolution_sources: readonly string[]
  readonly dispute_policy_uri: string | null
  readonly timezone: string | null
}

/** Reads a rubric file. @throws {ServiceError} VALIDATION_DEFINITION_INVALID, also for an invalid pattern */
export function parseClarityRubric(text: string, name: string): ClarityRubric {
  const { rubric, items } = readForm(ClarityRubricSchema, text, name)
  const compile = (item: string) => (pattern: string) => {
    try {
      return new RegExp(pattern, 'imu')
    } catch {
      throw new ServiceError(
        'VALIDATION_DEFINITION_INVALID',
        `${name}: pattern of ${item} is ${JSON.stringify(pattern)}; allowed: a regular expression`,
        { file: name },
      )
    }
  }
  const ready = items.map(({ item, points, full, half }: Static<typeof ClarityRubricSchema>['items'][number]) => ({
    item,
    points: +points,
    full: full.map(compile(item)),
    half: half.map(compile(item)),
  }))
  return { ...rubric, items: ready }
}

/** Returns the text that patterns are matched against: each field on lines of its own, by name. Null for a market without rules. */
export function rulesText(rules: MarketRules | null): string | null {
  if (rules === null) return null
  const { resolution_question, resolution_criteria, resolution_sources, dispute_policy_uri, timezone } = rules
  if (resolution_criteria === null && resolution_sources.length === 0) return null
  const lines = [
    ['question', resolution_question],
    ['criteria', resolution_criteria],
    ...resolution_sources.map((source) => ['source', source] as const),
    ['dispute_policy', dispute_policy_uri],
    ['timezone', timezone],
  ]
  return lines.flatMap(([field, value]) => (value === null ? [] : [`${field}: ${value}`])).join('\n')
}

/** Returns the exact text covered by the content hash of the rules. */
export function rulesDocument(rules: MarketRules): string {
  return canonicalJson(rules)
}

/** Scores a text item by item. */
export function scoreRules(text: string, rubric: ClarityRubric): ScoredItem[] {
  return rubric.items.map(({ item, points, full, half }) => {
    const whole = find(text, full)
    if (whole !== null) return { item, points: String(points), span: whole }
    const part = find(text, half)
    return { item, points: part === null ? '0' : new Decimal(points).div(2).toFixed(), span: part }
  })
}

const SPAN_MAX = 120

function find(text: string, patterns: readonly RegExp[]): ScoredItem['span'] {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match !== null) {
      const to = match.index + match[0].length
      return { from: match.index, to, text: match[0].slice(0, SPAN_MAX) }
    }
  }
  return null
}
