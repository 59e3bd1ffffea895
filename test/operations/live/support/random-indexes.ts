import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { legsOf } from '../../../../pipelines/index/admit.ts'
import { decodeDefinition } from '../../../../pipelines/index/definition.ts'
import type { DefinitionFile } from '../../../../pipelines/index/definition-schema.ts'
import type { Leg } from '../../../../pipelines/index/version.ts'
import { formatMicros, type Micros } from '../../../../primitives/instants.ts'
import { openReadSession } from '../../../../warehouse/read/session.ts'
import type { Row } from '../../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../../warehouse/warehouse.ts'
import { definitionFile, specOf } from '../../../support/index-world.ts'
import { MINUTE, START } from './random-course.ts'

const PARAMETERS = {
  'fresh.max_carry': 'PT20M',
  'outlier.min_n': '3',
  'quality.usable_min': '0.2',
  'link.min_s': '0.000001',
  'link.gearing_range': '0.0001 100000',
}
const leg = (source_market_id: string, venue_id = 'test') => ({ venue_id, source_market_id })

/** Indexes that share legs, under two graces and two frequencies, with a pool, an inverse and a second version. */
const FILES: readonly DefinitionFile[] = [
  named(
    'one',
    definitionFile(
      [
        { constituent_id: 'con_a', target_weight: '0.5' },
        { constituent_id: 'con_b', target_weight: '0.5', normalization: 'inverse' },
      ],
      { parameters: PARAMETERS },
    ),
  ),
  named(
    'two',
    definitionFile(
      [
        { constituent_id: 'con_a', target_weight: '0.4' },
        {
          constituent_id: 'con_p',
          target_weight: '0.6',
          normalization: 'logodds_pool',
          legs: [
            { ...leg('con_b'), pool_weight: '2' },
            { ...leg('con_c', 'other'), pool_weight: '1' },
          ],
        },
      ],
      {
        parameters: { ...PARAMETERS, mode: 'chain_linked' },
        versions: [
          {
            version: '2',
            effective_from: formatMicros(START + 17 * MINUTE),
            constituents: [
              { constituent_id: 'con_b', venue_id: 'test', source_market_id: 'con_b', target_weight: '1' },
            ],
          },
        ],
      },
    ),
  ),
  named(
    'three',
    definitionFile([{ constituent_id: 'con_b', target_weight: '1' }], {
      parameters: { ...PARAMETERS, mode: 'gauge', 'admission.grace': 'PT3M' },
      version: { calculation_frequency: 'PT5M' },
    }),
  ),
]

function named(name: string, file: DefinitionFile): DefinitionFile {
  return {
    ...file,
    index: {
      ...file.index,
      index_id: `idx_${name}`,
      slug: name,
      symbol: name.toUpperCase(),
      base_date: formatMicros(START),
    },
    methodology: { ...file.methodology, methodology_id: `mth_${name}` },
    versions: file.versions.map((version, i) =>
      i === 0 ? { ...version, effective_from: formatMicros(START) } : version,
    ),
  }
}

/** Ids of the indexes. */
export const IDS = FILES.map(({ index }) => index.index_id)
/** Writes the definition files into a folder. */
export function writeDefinitions(folder: string): string[] {
  return FILES.map((file) => {
    const path = join(folder, `${file.index.slug}.yaml`)
    writeFileSync(path, stringify(file))
    return path
  })
}

/** Every leg of the indexes, each market once. */
export const LEGS: readonly Leg[] = [
  ...new Map(
    FILES.flatMap((file) => legsOf(specOf(decodeDefinition(file)))).map((item) => [item.market_id, item]),
  ).values(),
]

/** A warehouse in a folder of its own, whose clock stands where it is put. */
export async function clockedWarehouse(root: string, at: Micros) {
  const clock = { now: at }
  const ports = { now: async () => clock.now, without_clock_guards: true }
  return { warehouse: await openWarehouse({ root, create: true, ports }), clock, root }
}

/** Every published row, all but what its publication adds. */
export async function publishedRows(warehouse: Warehouse): Promise<Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(
      'select * exclude (calculated_at, published_at, published_at_ts_ms, row_ordinal, record_hash) from index_observation_history order by index_id, tick_at, revision',
    )
  } finally {
    await session.close()
  }
}
