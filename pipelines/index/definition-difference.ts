import { type DecimalString, formatDecimal, parseDecimal, SCALE } from '../../primitives/decimal.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import { isReadingChanged, type TermDifference, termDifferences } from './constituent-terms.ts'
import { PARAMETER_SHEET, type ParameterName } from './parameters.ts'
import type { Constituent, IndexDescription, IndexVersion } from './version.ts'
import { VERSION_SETTINGS } from './version-settings.ts'

/** A rule that two definitions set differently. If versions of one side differ, their values are joined by `, then `. */
export type SettingDifference = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** A constituent whose target weight or terms differ; null: absent from that side. */
export type CompositionDifference = {
  readonly constituent_id: string
  readonly before: DecimalString | null
  readonly after: DecimalString | null
  /** Whether a term that decides its value differs: normalization, legs with their pool weights, or outcome. */
  readonly reading_changed: boolean
  /** Terms that differ beside the weight; empty of a constituent that one side alone has. */
  readonly terms: readonly TermDifference[]
}

const PARAMETER_NAMES = Object.keys(PARAMETER_SHEET) as ParameterName[]

/**
 * Returns the rules that differ: version settings first, then methodology parameters in the order of the sheet (methodology
 * index-1 §18).
 */
export function settingDifferences(
  before: readonly IndexVersion[],
  after: readonly IndexVersion[],
): readonly SettingDifference[] {
  const settings: readonly (readonly [string, (version: IndexVersion) => string | null])[] = [
    ['methodology', ({ methodology }) => `${methodology.methodology_id}@${methodology.version}`],
    ['content_hash', ({ methodology }) => methodology.content_hash],
    ...VERSION_SETTINGS.map(({ name, textOf }) => [name, textOf] as const),
    ...PARAMETER_NAMES.map(
      (name) => [name, ({ methodology }: IndexVersion) => methodology.texts[name] ?? null] as const,
    ),
  ]
  return settings.flatMap(([name, of]) => {
    const difference = { name, before: inOrder(before.map(of)), after: inOrder(after.map(of)) }
    return difference.before === difference.after ? [] : [difference]
  })
}

/** An index with the versions of it that are compared. */
type DefinitionSide = { readonly index: IndexDescription; readonly versions: readonly IndexVersion[] }

/** Returns the rules of an index and of its versions that differ. Names and descriptions are no rules. */
export function ruleDifferences(before: DefinitionSide, after: DefinitionSide): readonly SettingDifference[] {
  const rules: readonly (readonly [string, (index: IndexDescription) => string])[] = [
    ['unit', ({ unit }) => unit],
    ['base_value', ({ base_value }) => formatDecimal(parseDecimal(base_value, 'base_value'), SCALE.level)],
    ['base_date', ({ base_date }) => formatMicros(toMicros(base_date))],
  ]
  const of_index = rules.flatMap(([name, textOf]) => {
    const difference = { name, before: textOf(before.index), after: textOf(after.index) }
    return difference.before === difference.after ? [] : [difference]
  })
  return [...of_index, ...settingDifferences(before.versions, after.versions)]
}

/** Returns the constituents that differ, by id. */
export function compositionDifferences(
  before: readonly IndexVersion[],
  after: readonly IndexVersion[],
): readonly CompositionDifference[] {
  const constituents = [...before, ...after].flatMap((version) => version.constituents)
  const ids = [...new Set(constituents.map(({ constituent_id }) => constituent_id))].sort()
  return ids.flatMap((id) => {
    const [from, to] = [allOf(before, id), allOf(after, id)]
    const [left, right] = [weightsOf(from), weightsOf(to)]
    const terms = left === null || right === null ? [] : termDifferences(from, to, inOrder)
    const reading_changed = isReadingChanged(terms)
    return left === right && terms.length === 0
      ? []
      : [{ constituent_id: id, before: left, after: right, reading_changed, terms }]
  })
}

function weightsOf(constituents: readonly Constituent[]): string | null {
  return inOrder(constituents.map(({ target_weight }) => formatDecimal(target_weight, SCALE.weight)))
}

/** Returns the constituents of an id in each version that has it. */
function allOf(versions: readonly IndexVersion[], id: string): readonly Constituent[] {
  return versions.flatMap(({ constituents }) => constituents.find(({ constituent_id }) => constituent_id === id) ?? [])
}

/** Joins values in order, collapsing repetitions; null for none. */
function inOrder(values: readonly (string | null)[]): string | null {
  const texts = values.map((value) => value ?? 'off')
  const distinct = texts.filter((text, i) => text !== texts[i - 1])
  return values.every((value) => value === null) ? null : distinct.join(', then ')
}
