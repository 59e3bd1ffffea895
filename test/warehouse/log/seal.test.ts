import { expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import { answerAsOf, linkRow, recorded, step, testWarehouse } from './fixtures.ts'

test('a seal is an empty commit; sealing no further than before writes nothing', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00Z')))
  const through = toMicros('2026-01-18T00:00:00Z')
  const sealed = await log.seal(through)
  expect([sealed.version, sealed.sealed_through, sealed.rows]).toEqual([2, through, 1])
  expect(sealed.head_stamp).toBe(toMicros('2026-01-17T00:00:00Z'))
  for (const earlier of [through, through - 1, toMicros('2026-01-17T00:00:00Z')]) {
    expect((await log.seal(earlier)).version).toBe(2)
  }
})

test('what is published is sealed already: an instant up to the head needs no commit', async () => {
  const warehouse = await testWarehouse()
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00Z')))
  expect((await warehouse.log('index_link').seal(toMicros('2026-01-17T00:00:00Z'))).version).toBe(1)
})

test('an instant after now is refused, now itself is not', async () => {
  const now = toMicros('2026-01-17T12:00:00.000001Z')
  const warehouse = await testWarehouse({ ports: { now: async () => now } })
  const log = warehouse.log('index_link')
  await expect(log.seal(now + 1)).rejects.toMatchObject({ code: 'VALIDATION_AS_OF_IN_FUTURE' })
  expect((await log.seal(now)).sealed_through).toBe(now)
})

test('after a seal the recorded clock is refused through it, and the wall clock steps over it', async () => {
  const warehouse = await testWarehouse()
  const log = warehouse.log('index_link')
  const through = await warehouse.now()
  await log.seal(through)
  const refused = warehouse.append('index_link', [linkRow('a')], step(1, { kind: 'recorded', at: through }))
  await expect(refused).rejects.toMatchObject({
    code: 'VALIDATION_CLOCK_REFUSED',
    facts: { head: formatMicros(through) },
  })
  const done = await warehouse.append('index_link', [linkRow('a')], step(1))
  expect(toMicros(done.published_at)).toBeGreaterThan(through)
})

test('an answer as of a sealed instant stays what it was while rows come in', async () => {
  const warehouse = await testWarehouse()
  const pins: [number, string][] = []
  for (let i = 0; i < 10; i++) {
    await warehouse.append('index_link', [linkRow(`v${i}`)], step(i))
    const at = await warehouse.now()
    await warehouse.log('index_link').seal(at)
    pins.push([at, await answerAsOf(warehouse, at)])
  }
  for (const [at, answer] of pins) expect(await answerAsOf(warehouse, at)).toBe(answer)
  expect(new Set(pins.map(([, answer]) => answer)).size).toBe(10)
})
