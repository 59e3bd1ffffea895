import { beforeAll, expect, test } from 'vitest'
import { TABLE_FORMS } from '../../../api/transparency/record-forms.ts'
import { toMicros } from '../../../primitives/instants.ts'
import { openLogWriter } from '../../../warehouse/transparency/log-writer.ts'
import { openWarehouse } from '../../../warehouse/warehouse.ts'
import { LOG_TILE_EXAMPLES } from '../../support/live-examples.ts'
import { LOG_KEY, signedBy } from '../../support/log/log-keys.ts'
import { modelRow } from '../../support/review-world.ts'
import { wrongExamples } from '../../support/run-examples.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { serve } from '../acceptance/served.ts'

/** A log whose first tile is full: 256 ratings, written by the log's own writer, which ends each batch with a seal. */
const RATINGS = 256
const FIRST = toMicros('2026-06-01T00:00:00Z')
const root = tempFolder()
let base_url: string

beforeAll(async () => {
  const warehouse = await openWarehouse({ root, create: true })
  const rows = Array.from({ length: RATINGS }, (_, n) => modelRow('mkt_rated', 'MR2', FIRST + n * 1_000_000))
  const stamp = { kind: 'recorded', at: FIRST + RATINGS * 1_000_000 } as const
  await warehouse.append('market_rating', rows, { app_id: 'ratings', app_sequence: 1, stamp, operation: 'TEST' })
  const signer = { key: LOG_KEY.key, sign: (text: string) => signedBy(LOG_KEY, text) }
  const writer = await openLogWriter({ warehouse, forms: TABLE_FORMS, signer })
  while ((await writer.append()).more);
  writer.close()
  await warehouse.close()
  base_url = (await serve(root)).base_url
})

test('the examples of files of a full tile are answered', async () => {
  expect(await wrongExamples({ base_url, environment: 'test', account: null }, LOG_TILE_EXAMPLES)).toEqual([])
})
