import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BackfillJournal } from '../../../operations/backfill/backfill-journal.ts'
import { type BackfillSubject, backfillIdOf } from '../../../operations/backfill/backfill-subject.ts'
import { runBackfill } from '../../../operations/backfill/run-backfill.ts'
import { emptyTally } from '../../../simulator/truth/trade-tally.ts'
import type { TableLog } from '../../../warehouse/log/table-log.ts'
import { journalKey } from '../../../warehouse/store/work-keys.ts'
import type { TableName } from '../../../warehouse/tables.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tidemark } from '../../support/run-cli.ts'
import type { ServedVenue } from '../../support/served-venue.ts'
import { ROOT } from '../../support/source-files.ts'
import { spawnScript } from '../../support/spawn-script.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { eventually } from '../../workflows/support/temporal.ts'
import { FROM, portsOf, recordsOf, servePast, TO } from './served-past.ts'

const home = tempFolder()
const HOLD = join(ROOT, 'operations/backfill/hold-backfill.ts')
let served: ServedVenue
let warehouse: Warehouse

beforeAll(async () => {
  served = await servePast('kalshi')
  warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
}, 120_000)
afterAll(async () => {
  await warehouse.close()
  await served.close()
})

const subjectOf = (market: string): BackfillSubject => ({
  kind: 'venue',
  request: { venue_id: 'kalshi', from: FROM, to: TO, markets: [market] },
})
const marketsOf = () => served.venue.truth(emptyTally()).markets.map(({ source_market_id }) => source_market_id)
const journalOf = (subject: BackfillSubject) => join(warehouse.root, journalKey(backfillIdOf(subject)))

/** Another process that holds a backfill until it is killed. */
async function holder(backfill_id: string) {
  const child = await spawnScript(`
    const { holdBackfill } = await import(${JSON.stringify(HOLD)})
    await holdBackfill(${JSON.stringify(home)}, ${JSON.stringify(backfill_id)}, async () => {
      console.log('held')
      await new Promise((resolve) => setTimeout(resolve, 600_000))
    })`)
  await once(child.stdout, 'data')
  return child
}

test('of a living process is refused with its id, and leaves no trace; of a killed one it is taken over', async () => {
  const market = marketsOf()[0]!
  const subject = subjectOf(market)
  const backfill_id = backfillIdOf(subject)
  const other = await holder(backfill_id)
  const range = ['--from', FROM, '--to', TO, '--market', market]
  const command = ['backfill', '--venue', 'kalshi', ...range, '--in-process', '--base-url', served.base_url]
  const { exit_code, stderr } = await tidemark(command, { environment: { TIDEMARK_HOME: home } })
  expect([exit_code, stderr]).toEqual([
    4,
    `error: backfill ${backfill_id} is run by process ${other.pid}; allowed: wait for its end, or end that process (Ctrl-C) and run the same command again (WAREHOUSE_BUSY)\n`,
  ])
  const cancel = await tidemark(['backfill', 'cancel', backfill_id], { environment: { TIDEMARK_HOME: home } })
  expect([cancel.exit_code, cancel.stderr]).toEqual([
    ...[4, expect.stringContaining(`is run by process ${other.pid}; allowed: end that process (Ctrl-C or SIGTERM) (`)],
  ])
  expect(existsSync(journalOf(subject))).toBe(false)
  expect((await warehouse.log('backfill_run').snapshot()).head_stamp).toBeNull()
  other.kill('SIGKILL')
  await once(other, 'exit')
  const { ports, close } = portsOf(served, warehouse)
  expect(await runBackfill(subject, { ...ports, home })).toMatchObject({ state: 'done' })
  await close()
}, 120_000)

test('counts what chunks in progress have stored: a process that is killed then has lost no more than a second', async () => {
  const subject = subjectOf(marketsOf()[1]!)
  const before = await storedBy(warehouse)
  const marks = new AbortController()
  const are_readable = once(marks.signal, 'abort').then(() => undefined)
  const { ports, close } = portsOf(served, withheld(warehouse, 'market_mark', are_readable))
  const run = runBackfill(subject, { ...ports, home, parallel: 1 })
  const journal = await eventually(async () => {
    const now = existsSync(journalOf(subject)) ? readJournal(subject) : null
    return now !== null && now.records_new === (await storedBy(warehouse)) - before ? now : null
  }, 30_000)
  expect(journal).toMatchObject({ complete: false, done: [] })
  expect(journal.records_new).toBeGreaterThan(0)
  marks.abort()
  const report = await run
  expect(report.records_new).toBe((await storedBy(warehouse)) - before)
  await close()
}, 120_000)

const readJournal = (subject: BackfillSubject) =>
  JSON.parse(readFileSync(journalOf(subject), 'utf8')) as BackfillJournal

/** The warehouse, in which one table is not read before a promise is kept. */
function withheld(whole: Warehouse, table: string, until: Promise<void>): Warehouse {
  const later = (log: TableLog) => replaced(log, 'snapshot', () => until.then(() => log.snapshot()))
  return replaced(whole, 'log', (of: TableName) => (of === table ? later(whole.log(of)) : whole.log(of)))
}

/** An object with another method in place of one of its own. */
function replaced<T extends object>(whole: T, method: string, by: unknown): T {
  const own = (name: string | symbol) => {
    const value: unknown = Reflect.get(whole, name, whole)
    return typeof value === 'function' ? value.bind(whole) : value
  }
  return new Proxy(whole, { get: (_, name) => (name === method ? by : own(name)) })
}

/** Observations that are stored; descriptions of markets are not counted as records. */
async function storedBy(of: Warehouse): Promise<number> {
  const { market_quote, public_trade, market_resolution } = await recordsOf(of)
  return [market_quote, public_trade, market_resolution].reduce((sum, rows) => sum + rows!.length, 0)
}
