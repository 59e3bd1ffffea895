import { Decimal, isDecimalString, parseDecimal } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { durationMicros, type Micros } from '../../primitives/instants.ts'
import { didYouMean } from '../../primitives/nearest-word.ts'
import {
  INDEX_MODES,
  type IndexMode,
  POOL_FINALITY,
  type PoolFinality,
  SETTLE_FROM,
  type SettleFrom,
} from '../../vocabulary/index-level.ts'
import { STALE_AFTER_DEFAULT } from '../market/freshness.ts'
import type { MarkParameters, OutlierParameters } from '../market/parameters.ts'
import { invalid } from './definition-error.ts'

/** Kinds of parameter values: the accepted values in words, and the test. A list of texts allows exactly those. */
export const PARAMETER_KINDS = {
  boolean: { allowed: 'true or false', test: (text: string) => text === 'true' || text === 'false' },
  integer: { allowed: 'a whole number from 0 to 999999', test: (text: string) => /^(0|[1-9]\d{0,5})$/.test(text) },
  count: { allowed: 'a whole number from 1 to 999999', test: (text: string) => /^[1-9]\d{0,5}$/.test(text) },
  duration: { allowed: 'an ISO 8601 duration of fixed length such as PT5S or P2D', test: isDuration },
  positive_duration: {
    allowed: 'an ISO 8601 duration of fixed length, longer than zero, such as PT5M or P2D',
    test: (text: string) => isDuration(text) && durationMicros(text) > 0,
  },
  decimal: { allowed: 'a decimal string that is not negative', test: isUnsigned },
  ratio: {
    allowed: 'a decimal string in [0, 1]',
    test: (text: string) => isUnsigned(text) && new Decimal(text).lte(1),
  },
  share: {
    allowed: 'a decimal string in (0, 1]',
    test: (text: string) => isUnsigned(text) && new Decimal(text).gt(0) && new Decimal(text).lte(1),
  },
  clip: {
    allowed: 'a decimal string in (0, 0.5)',
    test: (text: string) => isUnsigned(text) && new Decimal(text).gt(0) && new Decimal(text).lt('0.5'),
  },
  decimal_range: { allowed: 'two decimal strings, the lower first, such as "0.2 5"', test: isRange },
} as const

export type Kind = keyof typeof PARAMETER_KINDS | readonly string[]

/**
 * The parameter sheet of an index methodology (methodology index-2 §18): every name, its kind and its default.
 * A default of null means off unless a methodology or version sets it.
 */
export const PARAMETER_SHEET = {
  mode: { kind: INDEX_MODES, default: 'gauge' },
  'calc.precision': { kind: ['34'], default: '34' },
  'calc.rounding': { kind: ['HALF_EVEN'], default: 'HALF_EVEN' },
  'admission.grace': { kind: 'duration', default: 'PT5S' },
  'fresh.stale_after': { kind: 'duration', default: STALE_AFTER_DEFAULT },
  'fresh.max_carry': { kind: 'positive_duration', default: 'PT24H' },
  'mark.s_tight': { kind: 'ratio', default: '0.02' },
  'mark.s_micro': { kind: 'ratio', default: '0.10' },
  'mark.s_wide': { kind: 'ratio', default: '0.20' },
  'mark.q_min': { kind: 'decimal', default: '50' },
  'mark.book_max_age': { kind: 'duration', default: 'PT60S' },
  'mark.t_recent': { kind: 'duration', default: 'PT15M' },
  'mark.t_last': { kind: 'duration', default: 'PT1H' },
  'outlier.enabled': { kind: 'boolean', default: 'true' },
  'outlier.window': { kind: 'count', default: '11' },
  'outlier.min_n': { kind: 'count', default: '5' },
  'outlier.k': { kind: 'decimal', default: '5' },
  'outlier.floor': { kind: 'ratio', default: '0.01' },
  'outlier.confirm_n': { kind: 'count', default: '3' },
  'outlier.band': { kind: 'ratio', default: '0.02' },
  'outlier.venue_band': { kind: 'ratio', default: '0.03' },
  'outlier.window_max_age': { kind: 'duration', default: 'PT1H' },
  'pool.eps': { kind: 'clip', default: '0.005' },
  'pool.exclude': { kind: 'ratio', default: '0.10' },
  'pool.readmit': { kind: 'ratio', default: '0.05' },
  'pool.d': { kind: 'decimal', default: '1' },
  'multi.max_overround': { kind: 'decimal', default: '0.15' },
  'quality.min_coverage': { kind: 'ratio', default: '0.80' },
  'quality.usable_min': { kind: 'ratio', default: '0.50' },
  'quality.min_confidence': { kind: 'ratio', default: '0.60' },
  'quality.max_fallback_weight': { kind: 'ratio', default: '0.40' },
  'cap.single': { kind: 'share', default: null },
  'cap.event': { kind: 'share', default: null },
  'cap.venue': { kind: 'share', default: null },
  'link.min_s': { kind: 'share', default: '0.05' },
  'link.gearing_range': { kind: 'decimal_range', default: '0.2 5' },
  'restate.bp': { kind: 'decimal', default: '10' },
  'restate.window': { kind: 'duration', default: 'P2D' },
  'fixing.partitions': { kind: 'count', default: '12' },
  'fixing.partition': { kind: 'positive_duration', default: 'PT5M' },
  'fixing.min': { kind: 'count', default: '7' },
  'fixing.trim': { kind: 'integer', default: '0' },
  'roll.target_days': { kind: 'decimal', default: null },
  'roll.stop_days': { kind: 'decimal', default: '3' },
  settle_from: { kind: SETTLE_FROM, default: 'source_at' },
  'pool.finality': { kind: POOL_FINALITY, default: 'any' },
} as const satisfies Record<string, { kind: Kind; default: string | null }>

export type ParameterName = keyof typeof PARAMETER_SHEET

/** Names that the second normative text added. A methodology that writes none of them is of the first text. */
export const SECOND_TEXT_PARAMETERS = ['settle_from', 'pool.finality'] as const satisfies readonly ParameterName[]
type SecondTextName = (typeof SECOND_TEXT_PARAMETERS)[number]

/** Every parameter of a methodology's text by name, as canonical text; null = off. The content hash covers it. */
export type ParameterTexts = Readonly<
  Record<Exclude<ParameterName, SecondTextName>, string | null> & Partial<Record<SecondTextName, string>>
>

/** Returns whether a methodology is of the second normative text, docs/methodology/index-2.md. */
export function isOfSecondText(texts: ParameterTexts): boolean {
  return SECOND_TEXT_PARAMETERS.some((name) => Object.hasOwn(texts, name))
}

/** Alternative spellings that a definition may use. */
const ALIASES: Readonly<Record<string, ParameterName>> = {
  'outlier.n': 'outlier.min_n',
  'roll.roll_stop': 'roll.stop_days',
  roll_stop: 'roll.stop_days',
  'fixing.minimum': 'fixing.min',
  'fresh.book_max_age': 'mark.book_max_age',
}

/**
 * Returns the full sheet of the methodology's text: the given texts over the defaults. The names of the second text are in it
 * if one of them is given, so the hash of a methodology without them is that of the first text.
 * @throws {ServiceError} VALIDATION_DEFINITION_INVALID names the parameter, the value and what is allowed
 */
export function resolveParameters(given: Readonly<Record<string, string>>): ParameterTexts {
  const second = SECOND_TEXT_PARAMETERS.some((name) => Object.hasOwn(given, name))
  const sheet = Object.entries(PARAMETER_SHEET).filter(([name]) => second || !isSecondTextName(name))
  const texts: Record<string, string | null> = Object.fromEntries(sheet.map(([name, row]) => [name, row.default]))
  for (const [written, value] of Object.entries(given)) {
    const name = ALIASES[written] ?? written
    if (!Object.hasOwn(PARAMETER_SHEET, name)) throw unknownParameter(written)
    if (name !== written && Object.hasOwn(given, name)) throw writtenTwice(written, name)
    checkParameter(name as ParameterName, written, value)
    texts[name] = value
  }
  return texts as ParameterTexts
}

function isSecondTextName(name: string): boolean {
  return (SECOND_TEXT_PARAMETERS as readonly string[]).includes(name)
}

/** Parameters decoded for the calculation. Durations in microseconds. */
export type Parameters = MarkParameters & {
  readonly mode: IndexMode
  readonly grace: Micros
  readonly outlier: OutlierParameters
  readonly settle_from: SettleFrom
  readonly pool: {
    readonly eps: Decimal
    readonly exclude: Decimal
    readonly readmit: Decimal
    readonly d: Decimal
    readonly finality: PoolFinality
  }
  readonly max_overround: Decimal
  readonly quality: {
    readonly usable_min: Decimal
    readonly min_confidence: Decimal
    readonly max_fallback_weight: Decimal
  }
  readonly link: { readonly min_s: Decimal; readonly gearing_min: Decimal; readonly gearing_max: Decimal }
  readonly restate: { readonly bp: Decimal; readonly window: Micros }
}

/**
 * Decodes a resolved sheet; the texts have been checked. No rule uses a book or a trade that is older than max_carry: such an
 * input is missing (methodology index-1 §5), however long the rule's own limit is.
 */
export function decodeParameters(texts: ParameterTexts): Parameters {
  const dec = (name: ParameterName) => parseDecimal(texts[name], name)
  const dur = (name: ParameterName) => durationMicros(texts[name], name)
  const int = (name: ParameterName) => +texts[name]!
  const max_carry = dur('fresh.max_carry')
  const [gearing_min, gearing_max] = gearing(texts['link.gearing_range']!)
  return {
    mode: texts.mode as IndexMode,
    grace: dur('admission.grace'),
    stale_after: dur('fresh.stale_after'),
    max_carry,
    s_tight: dec('mark.s_tight'),
    s_micro: dec('mark.s_micro'),
    s_wide: dec('mark.s_wide'),
    q_min: dec('mark.q_min'),
    book_max_age: Math.min(dur('mark.book_max_age'), max_carry),
    t_recent: Math.min(dur('mark.t_recent'), max_carry),
    t_last: Math.min(dur('mark.t_last'), max_carry),
    outlier: {
      enabled: texts['outlier.enabled'] === 'true',
      window: int('outlier.window'),
      min_n: int('outlier.min_n'),
      k: dec('outlier.k'),
      floor: dec('outlier.floor'),
      confirm_n: int('outlier.confirm_n'),
      band: dec('outlier.band'),
      venue_band: dec('outlier.venue_band'),
      window_max_age: dur('outlier.window_max_age'),
    },
    settle_from: (texts.settle_from ?? PARAMETER_SHEET.settle_from.default) as SettleFrom,
    pool: {
      eps: dec('pool.eps'),
      exclude: dec('pool.exclude'),
      readmit: dec('pool.readmit'),
      d: dec('pool.d'),
      finality: (texts['pool.finality'] ?? PARAMETER_SHEET['pool.finality'].default) as PoolFinality,
    },
    max_overround: dec('multi.max_overround'),
    quality: {
      usable_min: dec('quality.usable_min'),
      min_confidence: dec('quality.min_confidence'),
      max_fallback_weight: dec('quality.max_fallback_weight'),
    },
    link: { min_s: dec('link.min_s'), gearing_min, gearing_max },
    restate: { bp: dec('restate.bp'), window: dur('restate.window') },
  }
}

function gearing(text: string): [Decimal, Decimal] {
  const [low, high] = text.split(' ')
  return [new Decimal(low!), new Decimal(high!)]
}

function checkParameter(name: ParameterName, written: string, value: string): void {
  const kind: Kind = PARAMETER_SHEET[name].kind
  const allowed = typeof kind === 'string' ? PARAMETER_KINDS[kind].allowed : kind.join(' or ')
  const fits = typeof kind === 'string' ? PARAMETER_KINDS[kind].test(value) : kind.includes(value)
  if (!fits) throw invalid(`methodology.parameters.${written}`, value, allowed)
}

function isDuration(value: string): boolean {
  try {
    return durationMicros(value, 'duration') >= 0
  } catch {
    return false
  }
}

function isUnsigned(value: string): boolean {
  return isDecimalString(value) && !value.startsWith('-')
}

function isRange(value: string): boolean {
  const parts = value.split(' ')
  return parts.length === 2 && parts.every(isUnsigned) && new Decimal(parts[0]!).lt(new Decimal(parts[1]!))
}

function unknownParameter(name: string): ServiceError {
  const names = Object.keys(PARAMETER_SHEET)
  return new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `methodology.parameters.${name} is not a parameter${didYouMean(name, names)}; allowed: ${names.join(', ')}`,
    { field: `methodology.parameters.${name}` },
  )
}

function writtenTwice(written: string, name: string): ServiceError {
  return new ServiceError(
    'VALIDATION_DEFINITION_INVALID',
    `methodology.parameters.${written} is another spelling of ${name}, which is written too; allowed: one of them`,
    { field: `methodology.parameters.${written}` },
  )
}
