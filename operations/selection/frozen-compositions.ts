import type { DefinedVersion } from '../../pipelines/index/definition.ts'
import {
  awaitedComposition,
  compositionText,
  type FrozenComposition,
  type PublishedComposition,
  replacements,
} from '../../pipelines/selection/frozen.ts'
import { formatDecimal, SCALE } from '../../primitives/decimal.ts'
import { ServiceError } from '../../primitives/errors.ts'
import { formatMicros } from '../../primitives/instants.ts'
import { type AuditViolation, violation } from '../../warehouse/audit/violation.ts'
import { openReadSession, type ReadSession } from '../../warehouse/read/session.ts'
import type { Row } from '../../warehouse/schema.ts'
import { readSql } from '../../warehouse/sql/read-sql.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'

const ANNOUNCED = readSql(import.meta.url, 'sql/pro_formas_of_index.sql')
const VERSIONS = readSql(import.meta.url, '../sql/versions_of_index.sql')

/** Returns an announced composition of a row. */
function frozenOf(row: Row): FrozenComposition {
  return { ...composedOf(row), pro_forma_id: String(row.pro_forma_id), is_governed: row.is_governed === true }
}

/** Returns the composition of a version of a row. */
function publishedOf(row: Row): PublishedComposition {
  const { index_version_id, version, governance } = row
  const named = { index_version_id: String(index_version_id), version: String(version) }
  return { ...composedOf(row), ...named, is_governed: governance === 'governed' }
}

function composedOf({ effective_from, published_at, definition, constituents }: Row) {
  return {
    effective_from: String(effective_from),
    published_at: String(published_at),
    composition: compositionText(JSON.parse(String(definition)), constituents as never),
  }
}

/**
 * Refuses new versions of an index while an announced composition awaits its publication, unless the first is exactly that one.
 * @param versions new ones in order, with their weights
 * @throws {ServiceError} VALIDATION_VERSION_OVERLAP
 */
export async function refuseReplaced(
  session: ReadSession,
  index_id: string,
  [first]: readonly DefinedVersion[],
): Promise<void> {
  if (first === undefined) return
  const announced = (await session.query(ANNOUNCED, { index_id })).map(frozenOf)
  if (announced.length === 0) return
  const versions = (await session.query(VERSIONS, { index_id })).map(publishedOf)
  const [last] = await session.query(readSql(import.meta.url, '../sql/last_tick_of_index.sql'), { index_id })
  const awaited = awaitedComposition(announced, versions, typeof last?.tick_at === 'string' ? last.tick_at : null)
  const { version, effective_from, constituents } = first.version
  const weights = constituents.map(({ constituent_id, target_weight: weight }) => {
    return { constituent_id, target_weight: formatDecimal(weight, SCALE.weight) }
  })
  if (awaited === null || awaited.composition === compositionText(first.file, weights)) return
  const frozen = `${awaited.pro_forma_id}, announced at ${awaited.published_at} and frozen`
  throw new ServiceError(
    'VALIDATION_VERSION_OVERLAP',
    `version ${version} of ${index_id} takes effect at ${formatMicros(effective_from)}; allowed: first the composition ` +
      `from ${awaited.effective_from} (${frozen}), which tidemark index rebalance publishes`,
    { index_id, version },
  )
}

/** Returns the announced compositions of an index in whose place another version was published. */
export async function replacedCompositions(session: ReadSession, index_id: string) {
  const announced = (await session.query(ANNOUNCED, { index_id })).map(frozenOf)
  if (announced.length === 0) return { checked: 0, replaced: [] }
  const versions = (await session.query(VERSIONS, { index_id })).map(publishedOf)
  return { checked: announced.length, replaced: replacements(announced, versions) }
}

/** Checks that nothing was published in place of an announced composition. */
export async function auditFrozen(
  warehouse: Warehouse,
): Promise<{ readonly checked: number; readonly violations: readonly AuditViolation[] }> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_pro_forma', 'index_version'] })
  try {
    const ids = await session.query(readSql(import.meta.url, 'sql/announced_indexes.sql'))
    const found = []
    for (const { index_id } of ids) found.push(await replacedCompositions(session, String(index_id)))
    const violations = found.flatMap(({ replaced }) =>
      replaced.map(({ frozen, by }) => {
        const detail = `version ${by.version} was published in place of ${frozen.pro_forma_id}, announced and frozen`
        return violation({
          table: 'index_version',
          rule: 'frozen_composition',
          file: null,
          id: by.index_version_id,
          detail,
        })
      }),
    )
    return { checked: found.reduce((sum, { checked }) => sum + checked, 0), violations }
  } finally {
    await session.close()
  }
}
