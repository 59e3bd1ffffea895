import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyDefinitions } from '../../operations/index/apply-definitions.ts'
import { findIndex } from '../../operations/index/load-index.ts'
import { formatMicros, type Instant, MICROS_PER_SECOND, type Micros } from '../../primitives/instants.ts'
import { OWN_VENUE } from '../../vocabulary/venue.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import type { MarketToList } from '../trading/market-file.ts'
import { sandboxFolder } from './sandbox-file.ts'

export const SANDBOX_INDEX_ID = 'idx_sandbox'

const MINUTE: Micros = 60 * MICROS_PER_SECOND
/** By then books have been quoted, stored and marked. */
const LEAD: Micros = 3 * MINUTE

/**
 * Has an index over the first outcomes of the sandbox's markets, from some minutes after the first start on. One that is there stays.
 * @throws {ServiceError} what applyDefinitions throws
 */
export async function haveSandboxIndex(
  home: string,
  warehouse: Warehouse,
  markets: readonly Pick<MarketToList, 'market_id' | 'outcomes'>[],
): Promise<void> {
  const known = await knownIndex(warehouse)
  if (known !== null && known.spec.versions.length > 0) return
  const next = Math.ceil(((await warehouse.now()) + LEAD) / MINUTE) * MINUTE
  const begins_at = known === null ? formatMicros(next) : known.index.base_date
  const folder = join(sandboxFolder(home), 'definitions')
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'sandbox.json')
  await writeFile(file, `${JSON.stringify(sandboxIndex(markets, begins_at), null, 2)}\n`)
  await applyDefinitions({ files: [file], clock: 'wall', warehouse, is_invented: true })
}

async function knownIndex(warehouse: Warehouse) {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await findIndex(session, SANDBOX_INDEX_ID)
  } finally {
    await session.close()
  }
}

/** The definition as a document: a gauge from 0 to 100, equal weights. */
function sandboxIndex(markets: readonly Pick<MarketToList, 'market_id' | 'outcomes'>[], begins_at: Instant | string) {
  return {
    index: {
      index_id: SANDBOX_INDEX_ID,
      slug: 'sandbox',
      symbol: 'SANDBOX',
      name: 'Sandbox',
      description: 'What is traded in the sandbox of this service, equal weights, from 0 to 100.',
      family: 'sandbox',
      unit: 'index_points',
      base_value: '100',
      base_date: begins_at,
      tags: ['sandbox'],
    },
    methodology: {
      methodology_id: 'mth_sandbox_gauge',
      version: '1.0.0',
      name: 'Gauge of the books of this exchange',
      parameters: { mode: 'gauge', 'quality.min_confidence': '0.40' },
    },
    versions: [
      {
        version: '1',
        effective_from: begins_at,
        calculation_frequency: 'PT1M',
        minimum_coverage_ratio: '0.60',
        change_summary: ['first composition'],
        weighting: { rule: 'equal', rating_multiplier: false },
        constituents: markets.map(({ market_id, outcomes }) => ({
          constituent_id: `con_${market_id.slice('mkt_'.length)}`,
          venue_id: OWN_VENUE,
          source_market_id: market_id,
          outcome: outcomes[0]!.outcome_id,
          normalization: 'probability_0_1',
        })),
      },
    ],
  }
}
