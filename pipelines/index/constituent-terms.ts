import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros } from '../../primitives/instants.ts'
import type { Constituent, Leg } from './version.ts'

/** Term of a constituent beside its weight, as text; null: it has none. */
type ConstituentTerm = {
  readonly name: string
  readonly textOf: (constituent: Constituent) => string | null
  /** Whether it decides the constituent's value; else it limits weights alone. */
  readonly is_reading: boolean
}

/** Terms of a constituent, in the order in which differences are listed. */
const CONSTITUENT_TERMS: readonly ConstituentTerm[] = [
  { name: 'normalization', textOf: ({ normalization }) => normalization, is_reading: true },
  { name: 'legs', textOf: legsText, is_reading: true },
  { name: 'outcome', textOf: ownText, is_reading: true },
  { name: 'weight_cap', textOf: capText, is_reading: false },
  { name: 'group_event', textOf: ({ group_event }) => group_event, is_reading: false },
]

/** A term that two constituents of one id set differently; null: that side has none. */
export type TermDifference = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** Returns the terms of some constituents of one id that differ. @param textsOf joins the texts of a side */
export function termDifferences(
  before: readonly Constituent[],
  after: readonly Constituent[],
  textsOf: (texts: readonly (string | null)[]) => string | null,
): readonly TermDifference[] {
  return CONSTITUENT_TERMS.flatMap(({ name, textOf }) => {
    const [left, right] = [textsOf(before.map(textOf)), textsOf(after.map(textOf))]
    return left === right ? [] : [{ name, before: left, after: right }]
  })
}

const READING = CONSTITUENT_TERMS.filter(({ is_reading }) => is_reading)
const LIMITS = CONSTITUENT_TERMS.filter(({ is_reading }) => !is_reading)
const READING_NAMES = new Set(READING.map(({ name }) => name))

/** Reports whether differing terms decide the constituent's value. */
export function isReadingChanged(terms: readonly TermDifference[]): boolean {
  return terms.some(({ name }) => READING_NAMES.has(name))
}

/** Returns the terms that decide the value of a constituent as one text. */
export function readingText(constituent: Constituent): string {
  return READING.flatMap(({ textOf }) => textOf(constituent) ?? []).join(' ')
}

/** Returns the terms that limit the weight of a constituent as one text; null: it has none. */
export function limitsText(constituent: Constituent): string | null {
  const texts = LIMITS.flatMap(({ name, textOf }) => {
    const text = textOf(constituent)
    return text === null ? [] : [`${name} ${text}`]
  })
  return texts.length === 0 ? null : texts.join(', ')
}

/** Returns the legs in order. A single leg has no pool weight, because nothing is weighed against it. */
function legsText({ legs }: Constituent): string {
  return legs.map((leg) => legText(leg, legs.length > 1)).join(', ')
}

function legText(leg: Leg, is_weighed: boolean): string {
  const { pool_weight, expected_resolution_at } = leg
  return [
    nameOf(leg),
    ...(is_weighed ? [`x ${pool_weight.toFixed()}`] : []),
    ...(expected_resolution_at === null ? [] : [`until ${formatMicros(expected_resolution_at)}`]),
  ].join(' ')
}

/** Returns the outcome of a set that a constituent values; null: its normalization leaves no choice. */
function ownText({ normalization, legs, own }: Constituent): string | null {
  return normalization === 'multi_outcome_sum_to_one' ? nameOf(legs[own]!) : null
}

function nameOf({ key }: Leg): string {
  return key.replaceAll('\u001f', '/')
}

function capText({ weight_cap }: Constituent): string | null {
  return weight_cap === null ? null : formatDecimal(weight_cap, SCALE.weight)
}
