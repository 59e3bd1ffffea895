import type { EndImpact } from '../../../pipelines/governance/impact/change-document.ts'
import { LevelComparison } from '../../../pipelines/governance/impact/compare-levels.ts'
import { IMPACT_ENGINE } from '../../../pipelines/governance/impact/impact-document.ts'
import type { IndexEnd, Substitute } from '../../../pipelines/governance/impact/index-end.ts'
import { columnsOf, type LevelColumns } from '../../../pipelines/governance/impact/level-columns.ts'
import { isStatusKind, statusIn, statusOf } from '../../../pipelines/governance/index-change.ts'
import type { Change } from '../../../pipelines/governance/proposal.ts'
import { classOf } from '../../../pipelines/governance/propose.ts'
import { invariant } from '../../../primitives/errors.ts'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { QualityState } from '../../../vocabulary/index-level.ts'
import type { ReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { readSql } from '../../../warehouse/sql/read-sql.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { INDEX_TABLES } from '../../index/list-indexes.ts'
import { loadIndex } from '../../index/load-index.ts'
import { compositionsOf, dependentsOn, shareOf } from './dependents.ts'
import type { ImpactRequest } from './impact-request.ts'
import { impactWindow } from './impact-window.ts'
import { namedChange, openChange } from './open-change.ts'

const TABLES: readonly TableName[] = [
  ...INDEX_TABLES,
  ...(['market', 'market_resolution', 'severity_index_version'] as const),
]

/** A status or the end of an index. */
type EndChange = { readonly kind: 'index_status' | 'cessation'; readonly content: Change['content'] }

/**
 * Computes what a status or the end of an index would mean: its published levels, everything that depends on it, and the substitute.
 * @throws {ServiceError} INDEX_NOT_FOUND, VALIDATION_*
 */
export async function endImpact(request: ImpactRequest, { kind, content }: EndChange): Promise<EndImpact> {
  invariant(isStatusKind(kind), 'the change is of the status of an index')
  const index_id = String(content.index_id)
  const opened = await openChange(request, TABLES, async (_session, state) => {
    const named = namedChange(state, { kind, content })
    const change = { kind, content, base_hash: named.base_hash, impact_digest: null, emergency: null, rationale: '' }
    return { ...named, change_class: classOf(state, change), status_before: statusOf(state, index_id), state }
  })
  const { session, change, from, to } = opened
  try {
    await loadIndex(session, index_id)
    const window = await impactWindow(session, [index_id], { from, to })
    const range = { from: formatMicros(window.from), to: formatMicros(window.to) }
    const substitute_id = typeof content.substitute_index_id === 'string' ? content.substitute_index_id : null
    const levels = await publishedColumns(session, index_id, range)
    const other = substitute_id === null ? NO_COLUMNS : await publishedColumns(session, substitute_id, range)
    const comparison = new LevelComparison(request.lines ?? (() => undefined))
    comparison.add(levels, other)
    const { ticks, before } = comparison.result()
    const { change_id, base_hash, content_hash, change_class, status_before, state } = change
    const found: IndexEnd = {
      status_before,
      status_after: statusIn(kind, content),
      effective_from: String(content.effective_from),
      final_value: typeof content.final_value === 'string' ? content.final_value : null,
      last: await lastLevel(session, index_id),
      states: before.states,
      dependents: await dependentsOn(session, { warehouse: request.warehouse, state, index_id }),
      substitute:
        substitute_id === null ? null : await substituteOf(session, index_id, substitute_id, ticks.level_on_both),
      levels_sha256: comparison.digest(),
    }
    return {
      ...{ statement: 'tidemark.impact.v2', engine: IMPACT_ENGINE, kind, change_id, target_id: index_id },
      ...{ base_hash, content_hash, as_of: formatMicros(session.as_of), change_class, ...range, ...found },
    }
  } finally {
    await session.close()
  }
}

const NO_COLUMNS: LevelColumns = columnsOf([])

/** Returns the published levels of an index in a range; a level that was suspended before the first one has no ratios to show. */
async function publishedColumns(
  session: ReadSession,
  index_id: string,
  range: { readonly from: string; readonly to: string },
): Promise<LevelColumns> {
  const sql = readSql(import.meta.url, '../../sql/observations_of_index.sql')
  const rows = await session.query(sql, { index_id, ...range })
  return columnsOf(
    rows.map((row) => ({
      tick_at: toMicros(row.tick_at),
      level: typeof row.level === 'string' ? row.level : null,
      quality_state: row.quality_state as QualityState,
      coverage_ratio: String(row.coverage_ratio),
      confidence: String(row.confidence),
      link_factor: null,
    })),
  )
}

async function lastLevel(session: ReadSession, index_id: string): Promise<IndexEnd['last']> {
  const sql = readSql(import.meta.url, '../../sql/level_of_index.sql')
  const [row] = await session.query(sql, { index_id, observation_id: null })
  return row === undefined ? null : levelOf(row)
}

function levelOf({ tick_at, level, quality_state }: Row): NonNullable<IndexEnd['last']> {
  return {
    tick_at: String(tick_at),
    level: typeof level === 'string' ? level : null,
    quality_state: quality_state as QualityState,
  }
}

async function substituteOf(
  session: ReadSession,
  index_id: string,
  substitute_id: string,
  ticks_in_common: number,
): Promise<Substitute> {
  const { index_row, spec } = await loadIndex(session, substitute_id)
  return {
    index_id: substitute_id,
    weight_shared: shareOf(await compositionsOf(session), index_id, substitute_id),
    status: String(index_row.status),
    version: spec.versions.at(-1)?.version ?? null,
    last: await lastLevel(session, substitute_id),
    ticks_in_common,
  }
}
