import { join } from 'node:path'
import { expect, test } from 'vitest'
import { importArchive } from '../../operations/import/import-archive.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { runArchive } from '../support/run/run-archive.ts'
import { copySample } from '../support/run/run-sample.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

/** Whole archives a second time; test/operations/import/import-payloads.test.ts does it with small ones. */
test('the recorded ForecastBench archive', async () => {
  const { dir, root, report } = await runArchive()
  const warehouse = await openWarehouse({ root })
  const versions = () => Promise.all([warehouse.log('market_quote').snapshot(), warehouse.log('event').snapshot()])
  const before = (await versions()).map((snapshot) => snapshot.version)
  const { imported, duplicate } = report.input
  expect(await importArchive({ archive: 'forecastbench', dir, clock: 'recorded', warehouse })).toMatchObject({
    input: { ...report.input, imported: 0, duplicate: imported + duplicate },
    records_read: 154_289,
    records_new: 0,
    records_revised: 0,
    records_duplicate: 154_289,
    reference_records: 0,
    commits: 0,
  })
  expect((await versions()).map((snapshot) => snapshot.version)).toEqual(before)
  await warehouse.close()
})

test('the payloads of the sample week', async () => {
  const home = tempFolder()
  await copySample(home)
  const argv = ['import', 'payloads', join(home, 'sample', 'week'), '--clock', 'recorded', '--json']
  const { stdout } = await tidemark(argv, { environment: { TIDEMARK_HOME: home } })
  expect(JSON.parse(stdout)).toMatchObject({ records_new: 0, records_revised: 0, records_quarantined: 0, commits: 0 })
})
