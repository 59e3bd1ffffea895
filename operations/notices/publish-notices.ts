import { deriveNotices } from '../../pipelines/notices/derive-notices.ts'
import type { Notice } from '../../pipelines/notices/notice.ts'
import { deriveId } from '../../primitives/ids.ts'
import type { Micros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { type AppendGuard, openAppendGuard, PlanOvertaken } from '../import/append-guard.ts'
import { type FactsRead, readNoticeFacts, readNoticeIds } from './read-facts.ts'

/** Most notices of one commit. */
const BATCH_MAX = 500

/**
 * Publishes the notices that follow from published records and are not published yet. It may run in several processes, and be
 * interrupted anywhere: each notice is published once.
 * @returns number of notices published; 0 in a home without a roster
 */
export async function publishNotices(warehouse: Warehouse, signal?: AbortSignal): Promise<number> {
  for (let published = 0; ; ) {
    signal?.throwIfAborted()
    const guard = await openAppendGuard(warehouse, ['governance_notice'])
    const due = await dueNotices(warehouse)
    if (due.length === 0) return published
    try {
      published += await appendNotices(guard, due.slice(0, BATCH_MAX).map(derivedRow))
      if (due.length <= BATCH_MAX) return published
    } catch (error) {
      if (!(error instanceof PlanOvertaken)) throw error
    }
  }
}

/** Facts read and notices derived of a warehouse, so that each turn reads only new ones. */
type Derivation = {
  readonly read: FactsRead
  /** Notices published through this instant are known. */
  readonly notices_through: Micros
  readonly known: ReadonlySet<string>
  /** Notices that were derived and are not published. */
  readonly due: readonly Notice[]
}

/** Last derivation of each open warehouse; without one, notices are derived from all facts. */
const derivations = new WeakMap<Warehouse, Derivation>()

async function dueNotices(warehouse: Warehouse): Promise<readonly Notice[]> {
  const before = derivations.get(warehouse) ?? null
  const notices_after = before?.notices_through ?? 0
  const { head_stamp } = await warehouse.log('governance_notice').snapshot()
  const known = new Set([...(before?.known ?? []), ...(await readNoticeIds(warehouse, notices_after))])
  const found = await readNoticeFacts(warehouse, before?.read ?? null, known)
  if (found === null) return []
  const derived = [...(before?.due ?? []), ...deriveNotices(found.facts, await warehouse.now())]
  const by_id = new Map(derived.map((notice) => [notice.notice_id, notice]))
  const due = [...by_id.values()].filter(({ notice_id }) => !known.has(notice_id))
  const notices_through = Math.max(notices_after, head_stamp ?? 0)
  derivations.set(warehouse, { read: found.read, notices_through, known, due })
  return due
}

/** Returns the row of a notice of the service, which signs nothing. */
export function derivedRow(notice: Notice): Row {
  return { ...notice, actor_id: null, public_key: null, signed_text: null, signature: null, acted_at: null }
}

/**
 * Appends notices in one commit.
 * @returns number of notices appended; 0: another process has appended just these
 * @throws {PlanOvertaken} another process has published one of them
 */
export async function appendNotices(guard: AppendGuard, rows: readonly Row[]): Promise<number> {
  const { already_done } = await guard.append('governance_notice', rows, {
    app_id: deriveId('app', ...rows.map(({ notice_id }) => String(notice_id))),
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'NOTICE',
  })
  return already_done ? 0 : rows.length
}
