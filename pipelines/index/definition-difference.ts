import { type DecimalString, formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { PARAMETER_SHEET, type ParameterName } from './parameters.ts'
import type { IndexVersion } from './version.ts'

/** A rule that two definitions set differently. If versions of one side differ, their values are joined by `, then `. */
export type SettingDifference = { readonly name: string; readonly before: string | null; readonly after: string | null }

/** A constituent whose target weights or reading of its market differ; null: absent from that side. */
export type CompositionDifference = {
  readonly constituent_id: string
  readonly before: DecimalString | null
  readonly after: DecimalString | null
  /** Whether normalization or legs differ too. */
  readonly reading_changed: boolean
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
    ['calculation_frequency_s', ({ frequency }) => String(frequency / 1_000_000)],
    ['minimum_coverage_ratio', (version) => formatDecimal(version.minimum_coverage_ratio, SCALE.coverage_ratio)],
    ['fixing', ({ fixing }) => (fixing === null ? null : JSON.stringify(fixing))],
    ...PARAMETER_NAMES.map(
      (name) => [name, ({ methodology }: IndexVersion) => methodology.texts[name] ?? null] as const,
    ),
  ]
  return settings.flatMap(([name, of]) => {
    const difference = { name, before: inOrder(before.map(of)), after: inOrder(after.map(of)) }
    return difference.before === difference.after ? [] : [difference]
  })
}

/** Returns the constituents that differ, by id. */
export function compositionDifferences(
  before: readonly IndexVersion[],
  after: readonly IndexVersion[],
): readonly CompositionDifference[] {
  const constituents = [...before, ...after].flatMap((version) => version.constituents)
  const ids = [...new Set(constituents.map(({ constituent_id }) => constituent_id))].sort()
  return ids.flatMap((id) => {
    const [left, right] = [weightsOf(before, id), weightsOf(after, id)]
    const reading_changed = left !== null && right !== null && readingOf(before, id) !== readingOf(after, id)
    return left === right && !reading_changed
      ? []
      : [{ constituent_id: id, before: left, after: right, reading_changed }]
  })
}

function weightsOf(versions: readonly IndexVersion[], id: string): string | null {
  return inOrder(
    versions.flatMap((version) => find(version, id) ?? []).map((c) => formatDecimal(c.target_weight, SCALE.weight)),
  )
}

function readingOf(versions: readonly IndexVersion[], id: string): string | null {
  const readings = versions.flatMap((version) => find(version, id) ?? [])
  return inOrder(readings.map((c) => [c.normalization, ...c.legs.map((leg) => leg.key)].join(' ')))
}

function find(version: IndexVersion, id: string) {
  return version.constituents.find(({ constituent_id }) => constituent_id === id)
}

/** Joins values in order, collapsing repetitions; null for none. */
function inOrder(values: readonly (string | null)[]): string | null {
  const texts = values.map((value) => value ?? 'off')
  const distinct = texts.filter((text, i) => text !== texts[i - 1])
  return values.every((value) => value === null) ? null : distinct.join(', then ')
}
