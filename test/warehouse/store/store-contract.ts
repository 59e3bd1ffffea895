import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { sha256Hex } from '../../../primitives/ids.ts'
import { probeStore } from '../../../warehouse/store/probe-store.ts'
import type { Store } from '../../../warehouse/store/store.ts'

/**
 * Tests that every implementation of a store passes.
 * @param name of the store in the tests' names
 * @param open returns two stores over the same new, empty place, as two processes have them
 */
export function testStoreContract(name: string, open: () => Promise<readonly [Store, Store]>): void {
  test(`${name}: a key is put once; the second put is refused and changes nothing`, async () => {
    const [store, other] = await open()
    expect(await store.putIfAbsent('a/b/c', Buffer.from('one'))).toBe('placed')
    expect(await other.putIfAbsent('a/b/c', Buffer.from('two'))).toBe('taken')
    expect((await store.get('a/b/c'))?.toString()).toBe('one')
    expect(await store.get('a/b/d')).toBeNull()
    expect(await other.stat('a/b/c')).toMatchObject({ key: 'a/b/c', size_bytes: 3 })
    expect(await store.stat('a/b/d')).toBeNull()
    await store.replace('a/b/c', Buffer.from('three'))
    expect((await other.get('a/b/c'))?.toString()).toBe('three')
    await other.delete('a/b/c')
    await other.delete('a/b/c')
    expect(await store.get('a/b/c')).toBeNull()
    expect(await store.putIfAbsent('a/b/c', new Uint8Array())).toBe('placed')
    expect(await store.stat('a/b/c')).toMatchObject({ size_bytes: 0 })
  })

  test(`${name}: of a hundred puts of one key at once, one wins`, async () => {
    const stores = await open()
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, n) => stores[n % 2]!.putIfAbsent('x/key', Buffer.from(String(n)))),
    )
    expect(outcomes.filter((outcome) => outcome === 'placed')).toHaveLength(1)
    expect((await stores[0].get('x/key'))?.toString()).toBe(String(outcomes.indexOf('placed')))
    expect(await probeStore(stores[0])).toBe(true)
  })

  test(`${name}: a produced file has its size and hash, and a local path with the same bytes`, async () => {
    const [store, other] = await open()
    const bytes = Buffer.from('rows '.repeat(2000))
    const made = await store.putProduced('t/published_date=2026-01-17/part-1.parquet', (path) => writeFile(path, bytes))
    expect(made).toMatchObject({ size_bytes: bytes.length, sha256: sha256Hex(bytes) })
    expect(made.modified_at).toBeGreaterThan(0)
    expect(readFileSync(await other.localPath('t/published_date=2026-01-17/part-1.parquet'))).toEqual(bytes)
    const failed = store.putProduced('t/part-2.parquet', async (path) => {
      await writeFile(path, 'half')
      throw new Error('no more rows')
    })
    await expect(failed).rejects.toThrow('no more rows')
    expect(await other.stat('t/part-2.parquet')).toBeNull()
  })

  test(`${name}: a list has every object below its folder, and no other`, async () => {
    const [store, other] = await open()
    const keys = ['t/_delta_log/1.json', 't/_delta_log/2.json', 't/deep/er/3=x y+z', 't2/4']
    for (const key of keys) await store.putIfAbsent(key, Buffer.from(key))
    const listed: string[] = []
    for await (const { key, size_bytes, modified_at } of other.list('t')) {
      expect([size_bytes, modified_at > 0]).toEqual([key.length, true])
      listed.push(key)
    }
    expect(listed.sort()).toEqual(keys.slice(0, 3))
    for await (const { key } of other.list('absent')) listed.push(key)
    expect(listed).toHaveLength(3)
  })

  test(`${name}: a watermark never falls, and announcements are seen until they end`, async () => {
    const [store, other] = await open()
    expect(await store.watermark('t/_sealed')).toBe(0)
    const to = Array.from({ length: 12 }, (_, n) => 1_700_000_000_000_000 + ((n * 7) % 12))
    await Promise.all(to.map((value, n) => [store, other][n % 2]!.raiseWatermark('t/_sealed', value)))
    expect(await other.watermark('t/_sealed')).toBe(1_700_000_000_000_011)
    await other.raiseWatermark('t/_sealed', 5)
    expect(await store.watermark('t/_sealed')).toBe(1_700_000_000_000_011)
    const end = await store.announce('market_quote', 1_700_000_000_000_000)
    const announced = await other.announced()
    expect(announced).toMatchObject([{ table: 'market_quote', at: 1_700_000_000_000_000 }])
    await end()
    expect(await other.announced()).toEqual([])
  })
}
