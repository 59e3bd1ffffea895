import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { intervalDigest, sealedDigest } from '../../../warehouse/audit/digests.ts'
import { buildIntervals } from '../../../warehouse/intervals/build-intervals.ts'
import { snapshotSource } from '../../../warehouse/read/snapshot-source.ts'
import { openSourcesSession } from '../../../warehouse/read/sources-session.ts'
import { columnNames } from '../../../warehouse/read/table-relations.ts'
import type { TableSource } from '../../../warehouse/read/table-source.ts'
import { openWarehouse, type Warehouse } from '../../../warehouse/warehouse.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { commit, minuteMicros, quote } from '../read/quotes.ts'

const folder = tempFolder()
let warehouse: Warehouse

/** Chains with corrections, rows that arrive late, equal keys and a null in the chain. */
beforeAll(async () => {
  warehouse = await openWarehouse({ root: join(folder, 'warehouse'), create: true })
  for (let at = 1; at <= 6; at += 1) {
    const rows = Array.from({ length: 40 }, (_, n) =>
      quote({
        record_id: `r${at}_${n}`,
        market: `m${n % 7}`,
        series: n % 3 === 0 ? null : `s${n % 2}`,
        source_minute: n % 4,
        received_minute: (at * 5 + n) % 9,
        revision: 1 + ((at + n) % 3),
      }),
    )
    await commit(warehouse, 10 * at, rows)
  }
})
afterAll(() => warehouse.close())

/** Digest of a relation by its description: hashes of rows, sorted in buckets of their first three digits. */
async function described(source: TableSource, as_of: number, relation: string, columns: readonly string[]) {
  const session = await openSourcesSession([{ ...source, intervals: null }], as_of)
  try {
    const texts = columns.map((name) => `coalesce("${name}"::varchar, chr(30))`).join(', ')
    const rows = await session.query(`select concat_ws(chr(31), ${texts}) as text from ${relation}`)
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    const buckets = new Map<string, string[]>()
    for (const hash of rows.map(({ text }) => sha256(String(text))).sort())
      buckets.set(hash.slice(0, 3), [...(buckets.get(hash.slice(0, 3)) ?? []), hash])
    const lines = [...buckets].map(([bucket, hashes]) => `${bucket} ${hashes.length} ${sha256(hashes.join(''))}\n`)
    return { rows: rows.length, sha256: sha256(lines.join('')) }
  } finally {
    await session.close()
  }
}

test.each([5, 10, 35, 60])('both digests of minute %i are those of their description, one pass or not', async (at) => {
  const snapshot = await warehouse.log('market_quote').snapshot()
  const as_of = minuteMicros(at)
  const source = await snapshotSource(warehouse, snapshot, as_of)
  const every = columnNames('market_quote')
  for (const columns of [every, every.slice(0, 5)]) {
    const { current_rows, current_sha256, visible_sha256 } = await sealedDigest(source, 'tbl', as_of, columns)
    const current = await described(source, as_of, 'market_quote__current', columns)
    const visible = await described(source, as_of, 'market_quote__visible', columns)
    expect({ current_rows, current_sha256 }).toEqual({ current_rows: current.rows, current_sha256: current.sha256 })
    expect(visible_sha256).toBe(visible.sha256)
    if (at > 5) expect(current.rows).toBeLessThan(visible.rows)
  }
})

test('the current rows of an interval file have the digest of the definition', async () => {
  await buildIntervals(warehouse, 'market_quote')
  const snapshot = await warehouse.log('market_quote').snapshot()
  const as_of = snapshot.head_stamp!
  const source = await snapshotSource(warehouse, snapshot, as_of)
  expect(source.intervals).not.toBeNull()
  const { current_sha256, visible_sha256 } = await sealedDigest(source, snapshot.table_id!, as_of)
  expect(await intervalDigest(source, as_of)).toBe(current_sha256)
  expect(visible_sha256).not.toBe(current_sha256)
})
