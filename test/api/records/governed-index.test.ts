import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { recordOf } from '../../../api/transparency/record-form.ts'
import { versionForm } from '../../../api/transparency/record-forms.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { governedIndex, january, PEOPLE } from '../../support/governed-index.ts'
import { assertMatchesOperation } from '../../support/match-schema.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { rowOf, rowsOf, serve } from '../acceptance/served.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const { ann, ben, cat, olaf, r1, r2 } = PEOPLE
const folder = tempFolder()
let api: Awaited<ReturnType<typeof serve>>
let proposal_id: string
let rows: readonly Row[]

beforeAll(async () => {
  const world = await governedIndex(folder)
  await world.govern()
  await world.adopt(january(10, 1))
  const second = { version: '2', from: january(13), weights: ['0.9', '0.1'] as const }
  const wish = await world.contentOf(world.file([{ version: '1', from: january(1) }, second]))
  for (const runner of [r1, r2]) await world.attest(runner, wish, 'material')
  proposal_id = (await world.propose(ann, wish)).proposal!.proposal_id
  await world.approve(proposal_id, ben, cat, olaf)
  await world.advance(january(11))
  await world.advance(january(12))
  const session = await openReadSession(world.warehouse, { as_of: null })
  rows = await session.query('select * from index_version order by effective_from')
  await session.close()
  await world.warehouse.close()
  api = await serve(join(folder, 'warehouse'))
})

test('versions say who decided them', async () => {
  const versions = await api.get('/indexes/idx_tide/versions')
  assertMatchesOperation('list_index_versions', versions.body)
  expect(rowsOf(versions)).toMatchObject([
    { version: '1', governance: 'none', proposal_id: null, announced_at: null, effective_at: null },
    { version: '2', governance: 'governed', proposal_id, approved_by: 'ben, cat, olaf' },
  ])
})

test('a proposal shows where it differs from the record that it replaces', async () => {
  const listed = await api.get('/governance/proposals?kind=index_version')
  assertMatchesOperation('list_governance_proposals', listed.body)
  expect(rowsOf(listed)).toMatchObject([{ proposal_id, target: 'idx_tide', change_class: 'material' }])
  const shown = await api.get(`/governance/proposals/${proposal_id}`)
  assertMatchesOperation('get_governance_proposal', shown.body)
  expect(rowOf(shown).diff).toContainEqual({
    path: '/target_weights/con_a',
    before: '"0.5000000000"',
    after: '"0.9000000000"',
  })
  const [adoption] = rowsOf(await api.get('/governance/proposals?kind=index_adoption'))
  const adopted = rowOf(await api.get(`/governance/proposals/${adoption!.proposal_id}`))
  expect((adopted.diff as Row[]).every(({ before }) => before === null)).toBe(true)
})

test('the log keeps the form of versions without governance; the others also name their proposal', () => {
  const [first, second] = rows.map((row) => recordOf(versionForm(row), row))
  expect(first!.form).toBe('index_version/1')
  expect(Object.keys(JSON.parse(first!.record_text))).not.toContain('governance')
  expect(second!.form).toBe('index_version/2')
  expect(JSON.parse(second!.record_text)).toMatchObject({ governance: 'governed', proposal_id })
})
