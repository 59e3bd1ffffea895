import { readdirSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatMicros, toMicros } from '../../../primitives/instants.ts'
import type { Warehouse } from '../../../warehouse/warehouse.ts'
import { linkRow, recorded, step, testWarehouse } from './fixtures.ts'

const logOf = (warehouse: Warehouse) => warehouse.log('index_link')
const filesOf = ({ root }: Warehouse) => readdirSync(root, { recursive: true }).length

test('a seal of a read is no commit, and reads add no file', async () => {
  const warehouse = await testWarehouse({ ports: { seal_every_ms: 0 } })
  await warehouse.append('index_link', [linkRow('a')], step(1))
  await logOf(warehouse).sealForRead(await warehouse.now())
  const files = filesOf(warehouse)
  for (let n = 0; n < 20; n++) {
    const at = await warehouse.now()
    expect(await logOf(warehouse).sealForRead(at)).toEqual({ through: at, version: 1 })
    expect(await logOf(warehouse).closedThrough()).toBe(at)
  }
  expect(filesOf(warehouse)).toBe(files)
})

test('after it the recorded clock is refused through it, and the wall clock steps over it, in every process', async () => {
  const warehouse = await testWarehouse()
  const through = await warehouse.now()
  await warehouse.append('index_link', [linkRow('a')], step(1, recorded('2026-01-17T00:00:00Z')))
  await logOf(warehouse).sealForRead(through)
  const now = async () => through - 500_000
  const other = await testWarehouse({ root: warehouse.root, ports: { now, without_clock_guards: true } })
  const refused = other.append('index_link', [linkRow('b')], step(2, { kind: 'recorded', at: through }))
  const head = formatMicros(through)
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_CLOCK_REFUSED', facts: { head } })
  const done = await other.append('index_link', [linkRow('b')], step(3))
  expect(toMicros(done.published_at)).toBeGreaterThan(through)
})

test('a commit that was stamped before the seal is waited for', async () => {
  const slow = await pausedWriter()
  const reader = await testWarehouse({ root: slow.root })
  const at = await reader.now()
  const sealed = logOf(reader).sealForRead(at)
  await slow.resume()
  const { version } = await sealed
  expect([toMicros((await slow.done).published_at) <= at, (await slow.done).version]).toEqual([true, version])
})

test('control: a seal that does not wait for it has an answer that changes', async () => {
  const slow = await pausedWriter()
  const reader = await testWarehouse({ root: slow.root, ports: { without_seal_wait: true } })
  const at = await reader.now()
  const { version } = await logOf(reader).sealForRead(at)
  await slow.resume()
  expect([toMicros((await slow.done).published_at) <= at, (await slow.done).version]).toEqual([true, version + 1])
})

test('a commit that takes too long is stamped again, after the seal', async () => {
  const slow = await pausedWriter()
  const reader = await testWarehouse({ root: slow.root })
  const at = await reader.now()
  const { version } = await logOf(reader).sealForRead(at)
  await slow.resume()
  expect(toMicros((await slow.done).published_at)).toBeGreaterThan(at)
  expect((await slow.done).version).toBeGreaterThan(version)
})

test('the announcement of a killed writer, or of an earlier release, makes a seal a commit, without a wait', async () => {
  const warehouse = await testWarehouse({ ports: { seal_every_ms: 0 } })
  const old = (await warehouse.now()) - 5_000_000
  await writeFile(join(warehouse.root, '.unfinished', `commit-${old}-0a1b2c3d-0000-4000-8000-000000000000`), '')
  const at = await warehouse.now()
  expect(await logOf(warehouse).sealForRead(at)).toMatchObject({ version: 1 })
  expect((await logOf(warehouse).snapshot()).sealed_through).toBe(at)
})

test('commits of other tables are not waited for', async () => {
  const slow = await pausedWriter()
  const reader = await testWarehouse({ root: slow.root })
  expect((await reader.log('event').sealForRead(await reader.now())).version).toBe(0)
  await slow.resume()
})

class Gate {
  open!: () => void
  readonly opened = new Promise<void>((resolve) => {
    this.open = resolve
  })
}

/** A writer whose first commit has its stamp and its data file, and waits. */
async function pausedWriter() {
  const gate = new Gate()
  const written = new Gate()
  let is_first = true
  const reach = (point: string): Promise<void> | undefined => {
    if (point !== 'data-written' || !is_first) return undefined
    is_first = false
    written.open()
    return gate.opened
  }
  const warehouse = await testWarehouse({ ports: { reach } })
  const done = warehouse.append('index_link', [linkRow('slow')], step(1))
  await written.opened
  return {
    root: warehouse.root,
    done,
    resume: async () => {
      gate.open()
      await done
    },
  }
}
