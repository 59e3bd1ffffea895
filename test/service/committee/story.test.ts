import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDefinition } from '../../../operations/index/apply-definitions.ts'
import { sampleDefinitions } from '../../../operations/sample/sample-worlds.ts'
import { STORY_INDEX, storyFile } from '../../../service/committee/story/story-acts.ts'
import { openReadSession } from '../../../warehouse/read/session.ts'
import type { Row } from '../../../warehouse/schema.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { copySample } from '../../support/run/run-sample.ts'
import { tempFolder } from '../../support/temp-folder.ts'

/** The story of the sample week, from the records of a home that `tidemark up --once` made. */
let warehouse: Warehouse
const [WEEK, WEEK_END] = ['2025-12-01T00:00:00Z', '2025-12-08T00:00:00Z']

beforeAll(async () => {
  const home = tempFolder()
  await copySample(home)
  warehouse = await openWarehouse({ root: join(home, 'warehouse') })
}, 400_000)
afterAll(() => warehouse?.close())

async function sql(query: string): Promise<readonly Row[]> {
  const session = await openReadSession(warehouse, { as_of: null })
  try {
    return await session.query(query)
  } finally {
    await session.close()
  }
}

const ofStory = `target like '${STORY_INDEX}%'`

test('everything that members and the service did is stamped within the week, at the instant of the act', async () => {
  const tables = ['act', 'proposal', 'roster', 'policy', 'notice', 'complaint'].map(
    (name) => `governance_${name}_history`,
  )
  for (const table of [...tables, 'refused_act_history', 'index_restatement_history']) {
    const [span] = await sql(
      `select count(*) as rows, min(published_at) as first, max(published_at) as last from ${table}`,
    )
    expect([table, Number(span!.rows) > 0]).toEqual([table, true])
    expect([table, String(span!.first) > WEEK!, String(span!.last) < WEEK_END!]).toEqual([table, true, true])
  }
  const apart = await sql('select * from governance_act where published_at - recorded_at > interval 100 milliseconds')
  expect(apart).toEqual([])
})

test('each proposal has its class and its end; each state follows the one before, once', async () => {
  const ended = await sql(
    `select kind, change_class, state from governance_proposal where ${ofStory} order by proposed_at`,
  )
  expect(ended.map(({ kind, change_class, state }) => [kind, change_class, state])).toEqual([
    ['index_adoption', 'text', 'effective'],
    ['index_status', 'emergency', 'lapsed'],
    ['index_version', 'material', 'effective'],
    ['restatement', 'late_restatement', 'effective'],
  ])
  const repeated = await sql(
    `select proposal_id from governance_proposal_history where ${ofStory} group by proposal_id having count(*) <> max(revision)`,
  )
  expect(repeated).toEqual([])
})

test('a change is announced after its votes and effective after its notice, before the first level under it', async () => {
  const [version] = await sql(
    `select * from index_version where index_id = '${STORY_INDEX}' and governance = 'governed'`,
  )
  const [notice] = await sql(
    `select min(published_at) as at from governance_notice where proposal_id = '${version!.proposal_id}'`,
  )
  const [level] = await sql(
    `select min(published_at) as at from index_observation_history where index_version_id = '${version!.index_version_id}'`,
  )
  const course = [version!.announced_at, notice!.at, version!.effective_at, version!.effective_from, level!.at].map(
    String,
  )
  expect(course).toEqual([...course].sort())
  expect(version!.approved_by).toBe('sandbox_member, sandbox_oversight, sandbox_second')
  const engines = await sql(
    "select json_extract_string(signed_text, '$.details.engine') as engine, json_extract_string(signed_text, '$.details.impact_digest') as digest from governance_act where act = 'attest' order by sequence",
  )
  expect(engines.map(({ engine }) => engine)).toEqual(['exact', 'reference'])
  expect(new Set(engines.map(({ digest }) => digest)).size).toBe(1)
})

test('the proposed definition is the published one with a second version', async () => {
  const files = [sampleDefinitions().find((file) => file.includes('vote'))!, storyFile('vote-2.yaml')]
  const [published, proposed] = await Promise.all(files.map(readDefinition))
  expect(proposed!.versions[0]!.file).toEqual(published!.versions[0]!.file)
  expect([published!.versions.length, proposed!.versions.length]).toEqual([1, 2])
  expect([proposed!.index, proposed!.methodology]).toEqual([published!.index, published!.methodology])
})

test('a suspended index publishes nothing, and nothing is made up for after the lapse', async () => {
  const ticks = await sql(
    `select tick_at from index_observation where index_id = '${STORY_INDEX}' and tick_at between '2025-12-03 08:00' and '2025-12-03 12:00' order by tick_at`,
  )
  expect(ticks.map(({ tick_at }) => tick_at)).toEqual(['2025-12-03T08:00:00Z', '2025-12-03T12:00:00Z'])
})

test('somebody who took no part handles the complaint; its outcome names the restatement, and the notice has both values', async () => {
  const [outcome] = await sql('select * from governance_complaint')
  expect(outcome).toMatchObject({ state: 'resolved', outcome: 'upheld', handler: 'sandbox_ombuds' })
  const acted = await sql(`select distinct actor_id from governance_act where actor_id = '${outcome!.handler}'`)
  expect(acted).toEqual([])
  const [refusal] = await sql("select * from refused_act where act = 'assign_complaint'")
  expect([refusal!.code, refusal!.record_id]).toEqual(['REVIEW_NOT_ALLOWED', outcome!.complaint_id])
  const [restated] = await sql(`select * from governance_proposal where kind = 'restatement'`)
  expect(outcome!.proposal_id).toBe(restated!.proposal_id)
  const [wrong, corrected] = await sql(
    `select * from index_observation_history where index_id = '${STORY_INDEX}' and tick_at = '2025-12-05 09:00' order by revision`,
  )
  const [notice] = await sql(
    `select * from governance_notice where kind = 'correction' and proposal_id = '${restated!.proposal_id}'`,
  )
  const changes = typeof notice!.changes === 'string' ? JSON.parse(notice!.changes) : notice!.changes
  expect(changes).toMatchObject([{ old_value: wrong!.level, new_value: corrected!.level }])
  expect([wrong!.revision, corrected!.revision, corrected!.correction_reason]).toEqual([1, 2, 'RESOLUTION_CORRECTED'])
})
