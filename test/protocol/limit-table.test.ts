import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ENTRY_BYTES_MAX } from '../../pipelines/transparency/entry-bundle.ts'
import { LIMITS } from '../../protocol/limit-table.ts'
import { HISTORY_READS, LOG } from '../../protocol/limits.ts'
import { QUERY_LIMITS } from '../../warehouse/reader/history/query-limits.ts'

test('each limit is named once, is a positive integer, and is enforced in a file that is there', () => {
  const names = LIMITS.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, value, enforced_in } of LIMITS) {
    expect(Number.isSafeInteger(value) && value > 0, name).toBe(true)
    expect(existsSync(join(import.meta.dirname, '../..', enforced_in)), enforced_in).toBe(true)
  }
})

test('an entry of the log is at most as long as its length in a bundle can say', () => {
  expect(LOG.entry_bytes_max).toBe(ENTRY_BYTES_MAX)
})

test('reads of history have the limits that the warehouse has by itself', () => {
  expect(QUERY_LIMITS).toMatchObject(HISTORY_READS)
})

test('limits of a rate and of waiting reads state a wait; docs/limits.md names all others, which end when something closes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/limits.md'), 'utf8')
  const [named = ''] = /Four limits state no\s+wait[^.]*:([^:]*?)\.\n/.exec(page)?.slice(1) ?? []
  const waits =
    /\.(rate|burst)$|^(history_reads|exports|account_reads|unsent_bytes|would_fill)\.|^stream\.connections_per_address_max$/
  const without = LIMITS.filter(({ code, name }) => code === 'RATE_LIMIT_EXCEEDED' && !waits.test(name))
  expect([...named.matchAll(/`([^`]+)`/g)].map(([, name]) => name).sort()).toEqual(
    without.map(({ name }) => name).sort(),
  )
})
