import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'

/** Values of path and query parameters that name one record and what belongs to it, by parameter. */
export type Names = Readonly<Record<string, readonly string[]>>

/** Records of a warehouse that requests can name, by their kind. */
export type KnownRecords = Readonly<Record<keyof typeof QUERIES, readonly Names[]>>

/** SELECT of each kind: one row per record, a list of texts or a text per parameter. */
const QUERIES = {
  index: `select index_id, list(distinct index_version_id) as version_id,
      (select list(observation_id) from index_observation_history as o where o.index_id = v.index_id) as observation_id
    from index_version_history as v group by index_id order by 1`,
  market: `select market_id, any_value(event_id) as event_id, any_value(list_transform(outcomes, o -> o.outcome_id)) as outcome_id,
      (select list(observation_id) from market_observation_history as o where o.market_id = m.market_id) as observation_id,
      (select list(rating_id) from market_rating_history as r where r.market_id = m.market_id) as rating_id,
      (select list(resolution_id) from market_resolution_history as r where r.market_id = m.market_id) as evidence_id
    from market_history as m group by market_id order by 1`,
  event: `select event_id,
      (select list(assessment_id) from severity_assessment_history as a where a.event_id = e.event_id) as assessment_id
    from event_history as e group by event_id order by 1`,
  severity_index:
    'select severity_index_id, list(distinct version) as version from severity_index_version_history group by 1 order by 1',
  methodology: `select distinct methodology_id, version from methodology_history
    union select distinct methodology_id, version from assessment_methodology_history order by 1, 2`,
} as const

/** Reads what a warehouse has now. */
export async function readKnownRecords(root: string): Promise<KnownRecords> {
  const warehouse = await openWarehouse({ root })
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    const found: Record<string, readonly Names[]> = {}
    for (const [kind, select] of Object.entries(QUERIES)) found[kind] = (await session.query(select)).map(namesOf)
    return found as KnownRecords
  } finally {
    await session.close()
    await warehouse.close()
  }
}

function namesOf(row: Row): Names {
  const entries = Object.entries(row).map(([name, value]): [string, string[]] => {
    const values = Array.isArray(value) ? value : value == null ? [] : [value]
    return [name, values.map(String)]
  })
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0))
}
