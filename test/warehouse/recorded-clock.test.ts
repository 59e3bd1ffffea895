import { expect, test } from 'vitest'
import { toMicros } from '../../primitives/instants.ts'
import { openReadSession } from '../../warehouse/read/session.ts'
import { atRecordedInstant } from '../../warehouse/recorded-clock.ts'
import type { Warehouse } from '../../warehouse/warehouse.ts'
import { openedWarehouses } from '../support/opened-warehouses.ts'
import { tempFolder } from '../support/temp-folder.ts'

const [EARLY, LATE] = ['2025-12-02T09:00:00Z', '2025-12-03T09:00:00Z'].map((at) => toMicros(at))
const { warehouseAt } = openedWarehouses(tempFolder())

const REFUSAL = {
  ...{
    subject: 'governance',
    act: 'vote',
    public_key: '',
    signed_text: '',
    signature: '',
    code: 'REVIEW_NOT_ALLOWED',
    message: '',
  },
}
let step = 0
async function refuse(warehouse: Warehouse, refusal_id: string) {
  step += 1
  const options = { app_id: `test/${step}`, app_sequence: 1, stamp: { kind: 'wall' }, operation: 'TEST' } as const
  return warehouse.append('refused_act', [{ ...REFUSAL, refusal_id }], options)
}

async function refusals(warehouse: Warehouse): Promise<unknown[]> {
  const session = await openReadSession(warehouse, { as_of: null, tables: ['refused_act', 'market'] })
  try {
    return (await session.query('select refusal_id from refused_act order by published_at')).map(
      (row) => row.refusal_id,
    )
  } finally {
    await session.close()
  }
}

test('appends of the wall clock are stamped at the instant, one a millisecond, and only it sees them', async () => {
  const warehouse = await warehouseAt('stamps')
  const [early, late] = [atRecordedInstant(warehouse, EARLY!), atRecordedInstant(warehouse, LATE!)]
  expect(await early.now()).toBe(EARLY)
  const stamps = []
  for (const name of ['a', 'b']) stamps.push((await refuse(early, name)).published_at)
  stamps.push((await refuse(late, 'c')).published_at)
  expect(stamps).toEqual(['2025-12-02T09:00:00Z', '2025-12-02T09:00:00.001Z', '2025-12-03T09:00:00Z'])
  expect([await refusals(early), await refusals(late)]).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ])
})

test('a past behind later rows is refused, and nothing is written', async () => {
  const warehouse = await warehouseAt('behind')
  await refuse(atRecordedInstant(warehouse, LATE!), 'c')
  await expect(refuse(atRecordedInstant(warehouse, EARLY!), 'a')).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
  })
  expect(await refusals(warehouse)).toEqual(['c'])
})

test('a read as of an instant seals nothing, so earlier rows of another table may follow', async () => {
  const warehouse = await warehouseAt('unsealed')
  const late = atRecordedInstant(warehouse, LATE!)
  await (await openReadSession(late, { as_of: LATE!, tables: ['refused_act'] })).close()
  await expect(openReadSession(late, { as_of: LATE! + 1, tables: ['refused_act'] })).rejects.toMatchObject({
    code: 'VALIDATION_AS_OF_IN_FUTURE',
  })
  expect((await refuse(atRecordedInstant(warehouse, EARLY!), 'a')).published_at).toBe('2025-12-02T09:00:00Z')
})
