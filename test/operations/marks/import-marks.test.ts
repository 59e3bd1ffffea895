import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importAndMark } from '../../../operations/marks/import-and-mark.ts'
import { recordPause, recordResume } from '../../../operations/pause/record-schedule-act.ts'
import { MICROS_PER_SECOND, toMicros } from '../../../primitives/instants.ts'
import { SCHEDULE_IDS } from '../../../vocabulary/schedules.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'

const RECORDED = 'datasets/recorded/kalshi_v2_recorded'
const NONE = { count: 0, first: null }
const root = mkdtempSync(join(tmpdir(), 'tidemark-undescribed-'))
afterAll(() => rmSync(root, { recursive: true }))

function folderOf(name: string, ...files: readonly string[]): string {
  const dir = join(root, name)
  mkdirSync(dir)
  for (const file of files) cpSync(join(RECORDED, file), join(dir, file))
  return dir
}

test('trades of a market that nothing describes are stored, and the report names the market until it is described', async () => {
  const warehouse = await openWarehouse({ root: join(root, 'warehouse'), create: true })
  const load = (dir: string) => importAndMark({ archive: 'kalshi', dir, clock: 'wall', warehouse })
  const trades = folderOf('trades', 'trades_list_response.json')
  expect(await load(trades)).toMatchObject({
    records_new: 5,
    undescribed_markets: { count: 1, first: 'KXELONMARS-99' },
  })
  expect(await load(folderOf('market', 'event_single_response.json'))).toMatchObject({ undescribed_markets: NONE })
  expect(await load(trades)).toMatchObject({ records_new: 0, undescribed_markets: NONE })
  await warehouse.close()
})

test('an import in a pause of publication stores its records and publishes no marks; the next one after it does', async () => {
  const warehouse = await openWarehouse({ root: join(root, 'paused'), create: true })
  const load = () => importAndMark({ archive: 'kalshi', dir: RECORDED, clock: 'wall', warehouse })
  const by = { actor: 'ana', reason: 'a drill' }
  await recordPause(warehouse, SCHEDULE_IDS.publish, by)
  expect(await load()).toMatchObject({
    records_new: 192,
    marks_published: 0,
    marks_paused: expect.stringMatching(/by ana at .* \(a drill\)/),
  })
  await recordResume(warehouse, SCHEDULE_IDS.publish, by)
  const after = await load()
  await warehouse.close()
  expect(after).toMatchObject({ records_new: 0, marks_paused: null, marks_due_at: null })
  expect(after.marks_published).toBeGreaterThan(0)
})

test('the report says when the marks of the last records are due', async () => {
  const warehouse = await openWarehouse({ root: join(root, 'due'), create: true })
  const now = await warehouse.now()
  const mapping = join(root, 'map.json')
  const prices = join(root, 'prices.csv')
  writeFileSync(prices, `ts,p\n${now - 2 * MICROS_PER_SECOND},0.5\n`)
  writeFileSync(
    mapping,
    JSON.stringify({
      columns: { source_at: 'ts', reported_probability: 'p' },
      constants: { venue_id: 'v', source_market_id: 'a', outcome: 'YES' },
      ...{ time: { format: 'epoch_microseconds' }, unit: 'probability' },
    }),
  )
  const { marks_due_at } = await importAndMark({ archive: 'quotes', dir: prices, mapping, clock: 'wall', warehouse })
  await warehouse.close()
  const due = toMicros(marks_due_at ?? expect.fail('all marks are due'))
  expect(due).toBeGreaterThan(now)
  expect(due).toBeLessThan(now + 120 * MICROS_PER_SECOND)
})
