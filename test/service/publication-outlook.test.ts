import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AppliedIndex } from '../../operations/index/plan-definition.ts'
import { recordPause } from '../../operations/pause/record-schedule-act.ts'
import { outlookText, publicationOutlooks } from '../../service/publication-outlook.ts'
import { isHomeServed, lockHome } from '../../service/up/lock-home.ts'
import { SCHEDULE_IDS } from '../../vocabulary/schedules.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tempFolder } from '../support/temp-folder.ts'

const home = tempFolder()
const AT = '2026-01-01T00:00:00Z'
const applied = (index_id: string, first_tick_at: string | null) =>
  ({ index_id, first_tick_at }) as unknown as AppliedIndex

test('an applied index is published by the next service, by none while publication is paused, and a sample by none', async () => {
  const warehouse = await openWarehouse({ root: join(home, 'warehouse'), create: true })
  const indexes = [applied('idx_demo', AT), applied('idx_sample_tunnel', AT), applied('idx_known', null)]
  const publishers = async () =>
    (await publicationOutlooks({ home }, warehouse, indexes)).map((outlook) => outlook?.publisher ?? null)
  try {
    expect(await publishers()).toEqual(['not_running', 'never', null])
    await recordPause(warehouse, SCHEDULE_IDS.publish, { actor: 'ann', reason: 'a test' })
    expect(await publishers()).toEqual(['paused', 'never', null])
  } finally {
    await warehouse.close()
  }
})

test('a home is served only while somebody holds its lock', async () => {
  expect(await isHomeServed(home)).toBe(false)
  await lockHome(home, async () => undefined)
  expect(await isHomeServed(home)).toBe(false)
})

test('each outlook says who publishes, from which tick on, and what to do', () => {
  const text = (publisher: 'running' | 'paused' | 'not_running' | 'never') =>
    outlookText('idx_demo', { publisher, first_tick_at: AT })
  expect(text('running')).toContain(`publishes idx_demo from the tick at ${AT} on, past ticks included`)
  expect(text('running')).toContain('tidemark index show idx_demo')
  expect(text('paused')).toContain('tidemark schedules resume publish-tick')
  expect(text('not_running')).toMatch(
    /^No `tidemark up` runs in this home\. A worker of its warehouse .* publishes idx_demo from/,
  )
  expect(text('never')).toContain(`tidemark index compute idx_demo --from ${AT} --to now`)
})
