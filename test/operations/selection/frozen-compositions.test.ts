import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { applyPolicy } from '../../../operations/eligibility/policies.ts'
import { applyDefinitions } from '../../../operations/index/apply-definitions.ts'
import { auditFrozen } from '../../../operations/selection/frozen-compositions.ts'
import { readProFormas } from '../../../operations/selection/read-pro-formas.ts'
import { verifyRebalance } from '../../../operations/selection/verify-rebalance.ts'
import type { VersionFile } from '../../../pipelines/index/definition-schema.ts'
import { canonicalJson } from '../../../primitives/canonical-json.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { tableSchema } from '../../../warehouse/tables.ts'
import { refusalOf } from '../../support/refusal.ts'
import {
  clockedWarehouse,
  publishMarkets,
  publishRatings,
  publishTrades,
  RULE_DEFINITION,
} from '../../support/selection-world.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const POLICY = `policy: { policy_id: pol_core, name: Core }
rules:
  - { fact: market_status, one_of: [open] }
`
/** Version of the same index that somebody lists. */
const LISTED = `${RULE_DEFINITION.slice(0, RULE_DEFINITION.indexOf('versions:'))}versions:
  - version: "VERSION"
    effective_from: START
    calculation_frequency: P1D
    constituents:
      - { constituent_id: con_a, venue_id: polymarket, source_market_id: a, outcome: "YES", target_weight: "1" }
`
const AWAITED = '2026-06-03T14:00:00Z'
const folder = tempFolder()
let world: Awaited<ReturnType<typeof clockedWarehouse>>

const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}
const apply = (text: string) =>
  applyDefinitions({ files: [file('applied.yaml', text)], clock: 'wall', warehouse: world.warehouse })

/** Publishes a row again from the start of the awaited composition. */
async function add(table: 'index_pro_forma' | 'index_version', of: Row, named: object): Promise<void> {
  const stored = Object.entries(of).filter(([name]) => name in tableSchema(table).columns)
  const next = { ...Object.fromEntries(stored), effective_from: AWAITED, ...named }
  const step = {
    app_id: `ADDED/${table}`,
    app_sequence: 1,
    stamp: { kind: 'wall' },
    operation: 'APPLY_DEFINITION',
  } as const
  await world.warehouse.append(table, [next], step)
}

beforeAll(async () => {
  world = await clockedWarehouse(join(folder, 'warehouse'), '2026-04-20T00:00:00Z')
  const { warehouse, at } = world
  await publishMarkets(
    warehouse,
    ['a', 'b', 'c'].map((id) => ({ id })),
  )
  await publishRatings(warehouse, { a: 'MR1', b: 'MR2', c: 'MR3' })
  at('2026-04-29T12:00:00Z')
  await publishTrades(warehouse, { a: '800', b: '200', c: '400' })
  await applyPolicy(warehouse, file('policy.yaml', POLICY))
  at('2026-04-30T00:00:00Z')
  await apply(RULE_DEFINITION)
  at('2026-05-31T14:00:00Z')
  const [frozen] = await readProFormas(warehouse, { index_id: 'idx_rule', as_of: null })
  const definition = { ...(JSON.parse(String(frozen!.definition)) as VersionFile), effective_from: AWAITED }
  await add('index_pro_forma', frozen!, { pro_forma_id: 'pfm_june', definition: canonicalJson(definition) })
}, 60_000)
afterAll(() => world.warehouse.close())

test.each([
  ['early', '2026-06-02T14:00:00Z'],
  ['forged', AWAITED],
  ['late', '2026-06-20T14:00:00Z'],
])('while a composition awaits its publication, version %s from %s is refused', async (name, start) => {
  const refusal = await refusalOf(apply(LISTED.replace('VERSION', name).replace('START', start)))
  expect(refusal.code).toBe('VALIDATION_VERSION_OVERLAP')
  expect(refusal.message).toMatch(`allowed: first the composition from ${AWAITED} (pfm_june, announced at`)
  expect(await auditFrozen(world.warehouse)).toEqual({ checked: 2, violations: [] })
})

test('a home in which another version has its place is read, and each check says so', async () => {
  const { warehouse } = world
  const session = await openReadSession(warehouse, { as_of: null, tables: ['index_version'] })
  const [published] = await session.query('select * from index_version')
  await session.close()
  const forged = {
    ...(JSON.parse(String(published!.definition)) as VersionFile),
    version: 'forged',
    effective_from: AWAITED,
  }
  const named = { index_version_id: 'idv_forged', version: 'forged', definition: canonicalJson(forged) }
  await add('index_version', published!, named)
  const { violations } = await auditFrozen(warehouse)
  expect(violations.map(({ id, message }) => [id, message])).toEqual([
    ['idv_forged', expect.stringMatching(/version forged was published in place of pfm_june, announced and frozen/)],
  ])
  expect(await verifyRebalance(warehouse, 'idx_rule')).toEqual(['REPLACED'])
})
