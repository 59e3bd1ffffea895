import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import type { Mismatch } from '../../pipelines/index/rebuild-leg.ts'
import { versionTerms } from '../../pipelines/index/version-legs.ts'
import { versionRecord } from '../../pipelines/index/version-record.ts'
import { canonicalJson } from '../../primitives/canonical-json.ts'
import { formatDecimal, ONE, parseDecimal, SCALE, sumDecimals } from '../../primitives/decimal.ts'
import { formatMicros, toMicros } from '../../primitives/instants.ts'
import type { Constituent } from '../../protocol/resources/constituent.ts'
import type { IndexObservation } from '../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../protocol/resources/index-version.ts'

type Fields = Readonly<Record<string, unknown>>

/** Published version with its constituents. */
export type StatedVersion = { readonly resource: IndexVersion; readonly constituents: readonly Constituent[] }

/** Fields of a version's record that its definition does not decide, or that other checks compare. */
const NOT_OF_DEFINITION = ['definition', 'constituents', 'status', 'supersedes_version_id']
/** A governed version states who approved its proposal; the definition of another one has the name. */
const APPROVAL = ['approved_by', 'approved_at']

/** Returns the first fact of a version, or of its constituents, that its definition gives otherwise; null: none. */
export function versionMismatch(defined: DefinedVersion, { resource, constituents }: StatedVersion): Mismatch | null {
  const { constituents: members, ...record } = versionRecord(defined, null)
  const is_governed = (resource.governance ?? 'none') !== 'none'
  const left_out = [...NOT_OF_DEFINITION, ...(is_governed ? APPROVAL : [])]
  const terms = versionTerms(canonicalJson(defined.file))
  const is_fixed = defined.weighting === 'fixed'
  return (
    differing(`version ${resource.version}`, resource, record, left_out) ??
    first(constituents, (stated) => {
      const { rating_assessment_id_at_selection: _rated, ...member } = members.find(
        ({ constituent_id }) => constituent_id === stated.constituent_id,
      )!
      const found = { ...member, ...terms.get(stated.constituent_id), index_version_id: resource.index_version_id }
      const weight = is_fixed ? { target_weight: writtenWeight(stated) } : {}
      return differing(`constituent ${stated.constituent_id}`, stated, { ...found, ...weight })
    }) ??
    sumMismatch(resource, constituents)
  )
}

/** Returns what the definition writes; a weight that is left out is as published. */
function writtenWeight({ definition, target_weight }: Constituent): string {
  const { target_weight: written } = definition as { readonly target_weight?: string }
  return written === undefined ? target_weight : formatDecimal(parseDecimal(written, 'target_weight'), SCALE.weight)
}

function sumMismatch({ version }: IndexVersion, constituents: readonly Constituent[]): Mismatch | null {
  const sum = sumDecimals(constituents.map((item) => parseDecimal(item.target_weight, 'target_weight')))
  return sum.eq(ONE) ? null : { step: `version ${version}: sum of the weights`, expected: sum.toFixed(), actual: '1' }
}

/** Returns the first fact that contradicts the versions before and after; null: none. @param versions by effective_from */
export function successionMismatch(versions: readonly IndexVersion[], version: IndexVersion): Mismatch | null {
  const place = versions.indexOf(version)
  const found = {
    effective_to: versions[place + 1]?.effective_from ?? null,
    supersedes_version_id: versions[place - 1]?.index_version_id ?? null,
  }
  return differing(`version ${version.version}`, version, found)
}

/** Returns the first fact of a level that does not fit the index that was asked for, or its version; null: none. */
export function placeMismatch(
  level: IndexObservation,
  index_id: string,
  version: IndexVersion,
  frequency: number,
): Mismatch | null {
  const { methodology_id, methodology_version, effective_from, effective_to, published_at } = version
  const named = differing('level', level, { index_id, methodology_id, methodology_version })
  if (named !== null) return named
  const tick = toMicros(level.tick_at, 'tick_at')
  const is_within = toMicros(effective_from) <= tick && (effective_to === null || tick < toMicros(effective_to))
  const wrong = (actual: string) => ({ step: 'level: tick_at', expected: level.tick_at, actual })
  if (!is_within) return wrong(`an instant in [${effective_from}, ${effective_to ?? 'open'})`)
  if (tick % frequency !== 0) return wrong(`a multiple of ${version.calculation_frequency}`)
  const [earliest, published] = [toMicros(published_at), toMicros(level.published_at)]
  if (published >= earliest) return differing('level', level, { published_at_ts_ms: Math.floor(published / 1000) })
  return { step: 'level: published_at', expected: level.published_at, actual: `${formatMicros(earliest)} or later` }
}

/** Returns the first stated field that is not as found; an answer of an earlier release leaves fields out. */
export function differing(
  name: string,
  stated: Fields,
  found: Fields,
  left_out: readonly string[] = [],
): Mismatch | null {
  return first(Object.entries(found), ([field, value]) => {
    if (left_out.includes(field) || stated[field] === undefined) return null
    const [expected, actual] = [canonicalJson(stated[field]), canonicalJson(value ?? null)]
    return expected === actual ? null : { step: `${name}: ${field}`, expected, actual }
  })
}

function first<T>(items: Iterable<T>, mismatchOf: (item: T) => Mismatch | null): Mismatch | null {
  for (const item of items) {
    const mismatch = mismatchOf(item)
    if (mismatch !== null) return mismatch
  }
  return null
}
