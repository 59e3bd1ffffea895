import { type DecimalString, formatDecimal, ONE, SCALE, sumDecimals } from '../../../primitives/decimal.ts'
import { sha256Hex } from '../../../primitives/ids.ts'
import { limitsText, readingText } from '../../index/constituent-terms.ts'
import { decodeParameters, PARAMETER_SHEET, type ParameterName, type ParameterTexts } from '../../index/parameters.ts'
import type { Constituent, IndexVersion } from '../../index/version.ts'
import { VERSION_SETTINGS } from '../../index/version-settings.ts'
import { weighted } from './composition-change.ts'

/** Kinds of single changes. */
export type ChangeKind =
  | 'setting'
  | 'parameter'
  | 'weights'
  | 'constituent_in'
  | 'constituent_out'
  | 'reading'
  | 'limits'

/** One change applied to the base alone. */
type SingleChange = {
  readonly kind: ChangeKind
  /** Setting, parameter or constituent; `constituents`: several of a kind together. */
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  /** The base with only this change; null: it cannot be made alone. */
  readonly version: IndexVersion | null
}

/** Most constituents that are changed one by one; more of a kind are changed together. */
const ALONE_MAX = 8

/**
 * Returns the changes between two versions, each applied to the base alone. Constituents enter with their new weight and leave with
 * theirs, and the others keep their proportions; all differences of weight among those who stay are one change.
 */
export function singleChanges(base: IndexVersion, next: IndexVersion): readonly SingleChange[] {
  const changes = [...settingChanges(base, next), ...parameterChanges(base, next), ...constituentChanges(base, next)]
  // A published link is that of the published version alone.
  const { index_version_id } = next
  return changes.map(({ version, ...change }) => ({
    ...change,
    version: version === null ? null : { ...version, index_version_id },
  }))
}

function settingChanges(base: IndexVersion, next: IndexVersion): SingleChange[] {
  return VERSION_SETTINGS.flatMap(({ name, textOf, take }) => {
    const [before, after] = [textOf(base), textOf(next)]
    if (before === after) return []
    return [{ kind: 'setting' as const, name, before: shown(before), after: shown(after), version: take(base, next) }]
  })
}

const NAMES = Object.keys(PARAMETER_SHEET) as ParameterName[]
/** Parameters that act only through a version's settings and weights, which are compared themselves. */
const OF_VERSIONS = /^(cap|roll|fixing)\.|^quality\.min_coverage$/

function parameterChanges(base: IndexVersion, next: IndexVersion): SingleChange[] {
  const [before, after] = [base.methodology.texts, next.methodology.texts]
  return NAMES.flatMap((name) => {
    const [from, to] = [before[name] ?? null, after[name] ?? null]
    if (from === to || OF_VERSIONS.test(name)) return []
    const texts = { ...before, [name]: after[name] ?? PARAMETER_SHEET[name].default } as ParameterTexts
    const methodology = { ...base.methodology, texts, parameters: decodeParameters(texts) }
    return [{ kind: 'parameter' as const, name, before: from, after: to, version: { ...base, methodology } }]
  })
}

function constituentChanges(base: IndexVersion, next: IndexVersion): SingleChange[] {
  const known = new Map(base.constituents.map((one) => [one.constituent_id as string, one]))
  const kept = next.constituents.flatMap((to) => {
    const from = known.get(to.constituent_id)
    return from === undefined ? [] : [{ from, to }]
  })
  const entering = next.constituents.filter(({ constituent_id }) => !known.has(constituent_id))
  const staying = new Set<string>(kept.map(({ to }) => to.constituent_id))
  const leaving = base.constituents.filter(({ constituent_id }) => !staying.has(constituent_id))
  const change = changer(base, next)
  const replaced = (some: readonly Constituent[]) => change(new Set(some.map(idOf)), some)
  const terms = (kind: 'reading' | 'limits', textOf: TextOf, merge: Merge) => {
    const changed = kept.filter(({ from, to }) => textOf(from) !== textOf(to)).map(({ from, to }) => merge(from, to))
    return alone(
      kind,
      changed,
      (one) => shown(textOf(one)),
      replaced,
      (id) => shown(textOf(known.get(id)!)),
    )
  }
  return [
    ...weightChange(base, kept),
    ...alone('constituent_in', entering, weightOf, (some) => change(new Set(), some)),
    ...alone('constituent_out', leaving, weightOf, (some) => change(new Set(some.map(idOf)), [])),
    ...terms('reading', readingText, (from, to) => withLimits({ ...to, target_weight: from.target_weight }, from)),
    ...terms('limits', limitsText, withLimits),
  ]
}

type TextOf = (one: Constituent) => string | null
/** Returns a constituent with the differing terms alone changed. */
type Merge = (from: Constituent, to: Constituent) => Constituent

/** Returns a constituent with the limits of another. */
function withLimits(one: Constituent, { weight_cap, group_event }: Constituent): Constituent {
  return { ...one, weight_cap, group_event }
}

/** Returns the changes of a kind: one for each constituent, or one for all if there are many. */
function alone(
  kind: Exclude<ChangeKind, 'setting' | 'parameter' | 'weights'>,
  some: readonly Constituent[],
  textOf: TextOf,
  apply: (some: readonly Constituent[]) => IndexVersion | null,
  before: ((id: string) => string | null) | null = null,
): SingleChange[] {
  if (some.length > ALONE_MAX)
    return [{ kind, name: 'constituents', before: null, after: String(some.length), version: apply(some) }]
  return some.map((one) => {
    const text = textOf(one)
    const [from, to] = kind === 'constituent_out' ? [text, null] : [before?.(one.constituent_id) ?? null, text]
    return { kind, name: one.constituent_id, before: from, after: to, version: apply([one]) }
  })
}

/** Creates the function that takes constituents out of the base and puts others in. */
function changer(base: IndexVersion, next: IndexVersion) {
  return (out: ReadonlySet<string>, entering: readonly Constituent[]): IndexVersion | null => {
    const staying = base.constituents.filter((one) => !out.has(one.constituent_id))
    const rest = sumDecimals(staying.map(({ target_weight }) => target_weight))
    const room = ONE.minus(sumDecimals(entering.map(({ target_weight }) => target_weight)))
    const constituents = weighted([
      ...staying.map((constituent) => ({
        constituent,
        raw: rest.isZero() ? rest : constituent.target_weight.times(room).div(rest),
      })),
      ...entering.map((constituent) => ({ constituent, raw: constituent.target_weight })),
    ])
    return constituents === null ? null : { ...base, constituents, roll: base.roll ?? next.roll }
  }
}

function weightChange(
  base: IndexVersion,
  kept: readonly { readonly from: Constituent; readonly to: Constituent }[],
): SingleChange[] {
  if (kept.every(({ from, to }) => from.target_weight.eq(to.target_weight))) return []
  const weights = new Map(kept.map(({ to }) => [to.constituent_id as string, to.target_weight]))
  const constituents = weighted(
    base.constituents.map((constituent) => ({
      constituent,
      raw: weights.get(constituent.constituent_id) ?? constituent.target_weight,
    })),
  )
  const differing = kept.filter(({ from, to }) => !from.target_weight.eq(to.target_weight)).length
  const version = constituents === null ? null : { ...base, constituents }
  return [{ kind: 'weights', name: 'constituents', before: null, after: String(differing), version }]
}

function idOf({ constituent_id }: Constituent): string {
  return constituent_id
}

function weightOf({ target_weight }: Constituent): DecimalString {
  return formatDecimal(target_weight, SCALE.weight)
}

/** Longest text of a setting or term in characters, so that a document can be signed and logged whole. */
const TEXT_MAX = 100

/** Returns a text as shown: a long one is its beginning and its hash. */
function shown(text: string | null): string | null {
  if (text === null || text.length <= TEXT_MAX) return text
  return `${text.slice(0, TEXT_MAX / 2)}… sha256:${sha256Hex(text).slice(0, 32)}`
}
