import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type MarketRevision, ruleChangesOf, type UsingVersion } from '../../../pipelines/notices/rule-changes.ts'
import { formatMicros, type Micros, toMicros } from '../../../primitives/instants.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'

vi.setConfig({ testTimeout: 60_000 })
const T0 = toMicros('2026-01-05T00:00:00Z')
const hours = (count: number): Micros => T0 + count * 3_600_000_000

type Rules = { readonly question: string | null; readonly criteria?: string; readonly sources?: readonly string[] }

/** Revision of a market whose rules are these; null: its record states none. */
function market(market_id: string, revision: number, hour: number, rules: Rules | null): Row {
  const { question = null, criteria = null, sources = null } = rules ?? {}
  return {
    ...{ market_id, revision, event_id: 'evt_a', title: market_id, outcome_type: 'binary' },
    rules:
      rules === null
        ? null
        : { resolution_question: question, resolution_criteria: criteria, resolution_sources: sources },
    venue_mapping: { venue_id: 'kalshi', source_market_id: `K-${market_id}` },
    ...{ source_at: hours(hour), received_at: hours(hour) },
  }
}

function version(index_id: string, name: string, hour: number, markets: readonly string[]): Row {
  const legs = markets.map((one) => ({ venue_id: 'kalshi', source_market_id: `K-${one}` }))
  return {
    ...{ index_version_id: `idv_${index_id}_${name}`, index_id, version: name, status: 'published' },
    ...{ effective_from: hours(hour), mode: 'gauge', weight_sum: '1' },
    definition: JSON.stringify({ constituents: [{ constituent_id: 'con_a', legs }] }),
    constituents: [],
  }
}

const asked: Rules = { question: 'Will it rain?', sources: ['gauge'] }

async function world(warehouse: Warehouse): Promise<void> {
  let step = 0
  const append = async (table: 'market' | 'index_version', hour: number, ...rows: Row[]) => {
    step += 1
    const stamp = { kind: 'recorded', at: hours(hour) } as const
    await warehouse.append(table, rows, { app_id: `test/${step}`, app_sequence: 1, stamp, operation: 'TEST' })
  }
  await append('index_version', 1, version('idx_a', '1', 1, ['mkt_a', 'mkt_b']), version('idx_b', '1', 1, ['mkt_b']))
  await append('market', 2, market('mkt_a', 1, 2, asked), market('mkt_b', 1, 2, asked), market('mkt_c', 1, 2, null))
  await append(
    'market',
    3,
    market('mkt_a', 2, 3, asked),
    market('mkt_b', 2, 3, { ...asked, question: 'Will it snow?' }),
  )
  await append('index_version', 4, version('idx_a', '2', 4, ['mkt_a']))
  await append('market', 5, market('mkt_b', 3, 5, { question: 'Will it snow?', criteria: 'At noon.', sources: [] }))
  await append('market', 6, market('mkt_a', 3, 6, { ...asked, sources: ['gauge', 'radar'] }))
  await append('market', 7, market('mkt_c', 2, 7, { question: null }), market('mkt_a', 4, 7, asked))
}

/** The ledger as `tidemark sql` shows it, and as the API computes it, as of an instant. */
async function ledgers(warehouse: Warehouse, as_of: Micros) {
  const session = await openReadSession(warehouse, { as_of, tables: ['market', 'index_version'] })
  try {
    const inOrder = (rows: readonly Row[]) =>
      rows.toSorted((a, b) => (`${a.market_id} ${a.revision}` < `${b.market_id} ${b.revision}` ? -1 : 1))
    const by_sql = inOrder(await session.query('select * exclude (row_ordinal) from rule_change'))
    const revisions = (await session.query('from market__visible')) as unknown as MarketRevision[]
    const versions = (await session.query('from index_version')) as unknown as UsingVersion[]
    const computed = ruleChangesOf(revisions, versions).map(({ change_id: _not_in_sql, ...change }) => change)
    return { by_sql, computed: inOrder(computed as unknown as Row[]) }
  } finally {
    await session.close()
  }
}

test('the ledger of rules is the same by SQL and by the API, as of every instant', async () => {
  const warehouse = await openWarehouse({ root: join(tempFolder(), 'warehouse'), create: true })
  await world(warehouse)
  for (const hour of [0, 2, 3, 5, 6, 8]) {
    const { by_sql, computed } = await ledgers(warehouse, hours(hour))
    expect(computed, formatMicros(hours(hour))).toEqual(by_sql)
  }
  const { by_sql } = await ledgers(warehouse, hours(8))
  expect(by_sql.map((row) => [row.market_id, row.revision, row.kind, row.changed_fields, row.index_ids])).toEqual([
    ['mkt_a', 1, 'archived', [], ['idx_a']],
    ['mkt_a', 3, 'changed', ['resolution_sources'], ['idx_a']],
    ['mkt_a', 4, 'changed', ['resolution_sources'], ['idx_a']],
    ['mkt_b', 1, 'archived', [], ['idx_a', 'idx_b']],
    ['mkt_b', 2, 'changed', ['resolution_question'], ['idx_a', 'idx_b']],
    ['mkt_b', 3, 'changed', ['resolution_criteria', 'resolution_sources'], ['idx_b']],
    ['mkt_c', 2, 'archived', [], []],
  ])
  await warehouse.close()
})
