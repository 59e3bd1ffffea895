import { legsOfVersion } from '../../pipelines/index/admit.ts'
import type { Constituent, IndexVersion } from '../../pipelines/index/version.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros, type Instant, type Micros, microsOf } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'

/** Constituent without a mark at the link of a version: each of its markets is silent. */
export type SilentConstituent = {
  readonly version: string
  readonly constituent_id: string
  /** Instant of the link, or now where that is earlier. */
  readonly at: Instant
  /** Last instant at which a source still stated a price; null: there is no quote. */
  readonly last_sign_at: Instant | null
  /** Longest age of a mark. */
  readonly max_carry: string
}

/**
 * Returns the constituents of new versions that have no mark where the version is linked, or now if that is earlier: every market of
 * theirs is silent for longer than marks are carried.
 * @param before version that the first of them follows; null: there is none
 * @throws {ServiceError} INDEX_LINK_UNSTABLE: a version or the one before has no mark at all, so publication would stop there
 */
export async function silentConstituents(
  session: ReadSession,
  versions: readonly IndexVersion[],
  before: IndexVersion | null,
  now: Micros,
): Promise<readonly SilentConstituent[]> {
  const found: SilentConstituent[] = []
  let previous = before
  for (const version of versions) {
    const at = Math.min(version.effective_from, now)
    const silent = await silentOf(session, version, at)
    if (previous !== null && version.methodology.parameters.mode !== 'gauge') {
      refuseWithoutMarks(version, version, silent)
      refuseWithoutMarks(version, previous, await silentOf(session, previous, at))
    }
    found.push(...silent)
    previous = version
  }
  return found
}

/** Returns a silent constituent as a sentence. */
export function silentText({ version, constituent_id, at, last_sign_at, max_carry }: SilentConstituent): string {
  const seen = last_sign_at === null ? 'there is no quote' : `the newest quote is of ${last_sign_at}`
  return `constituent ${constituent_id} of version ${version} has no mark at ${at}: ${seen}, and marks are carried for ${max_carry}`
}

/** Refuses the link of a version if all constituents of one of the two compositions are silent: neither has a sum to divide by. */
function refuseWithoutMarks(
  linked: IndexVersion,
  composition: IndexVersion,
  silent: readonly SilentConstituent[],
): void {
  if (silent.length < composition.constituents.length) return
  const { version, index_id } = linked
  throw new ServiceError(
    'INDEX_LINK_UNSTABLE',
    `version ${version} of ${index_id} cannot be linked: ${silent.map(silentText).join('; ')}; allowed: an effective_from at which both compositions have marks, or constituents with quotes`,
    { index_id, version },
  )
}

async function silentOf(
  session: ReadSession,
  version: IndexVersion,
  at: Micros,
): Promise<readonly SilentConstituent[]> {
  const market_ids = [...new Set(legsOfVersion(version).map(({ market_id }) => String(market_id)))]
  const sql = readSql(import.meta.url, 'sql/signs_of_markets.sql')
  const rows = await session.query(sql, { market_ids, at: formatMicros(at) })
  const signs = new Map(rows.map((row) => [String(row.market_id), row]))
  const { parameters, texts } = version.methodology
  const signOf = ({ legs }: Constituent) =>
    legs.flatMap(({ market_id }) => microsOf(signs.get(market_id)?.last_sign_at) ?? [])
  const isSilent = (constituent: Constituent) =>
    constituent.legs.every(({ market_id }) => signs.get(market_id)?.is_final !== true) &&
    signOf(constituent).every((sign) => sign < at - parameters.max_carry)
  return version.constituents.filter(isSilent).map((constituent) => {
    const last = signOf(constituent)
    return {
      version: version.version,
      constituent_id: constituent.constituent_id,
      at: formatMicros(at),
      last_sign_at: last.length === 0 ? null : formatMicros(Math.max(...last)),
      max_carry: String(texts['fresh.max_carry']),
    }
  })
}
