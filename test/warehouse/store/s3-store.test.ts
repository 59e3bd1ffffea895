import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sha256Hex } from '../../../primitives/ids.ts'
import { probeStore } from '../../../warehouse/store/probe-store.ts'
import { parseS3Location } from '../../../warehouse/store/s3/s3-location.ts'
import { StoreClock } from '../../../warehouse/store/s3/store-clock.ts'
import type { Store } from '../../../warehouse/store/store.ts'
import { type ObjectServer, openMemoryStore, startObjectServer } from '../../support/object-server.ts'
import { tempFolder } from '../log/fixtures.ts'
import { testStoreContract } from './store-contract.ts'

let server: ObjectServer
beforeAll(async () => {
  server = await startObjectServer()
})
afterAll(() => server.close())

let opened = 0
/** A store in a new prefix. @param prefix of an earlier one */
function openTestStore(prefix = `prefix/${++opened}`, url = server.url): Store {
  return openMemoryStore(url, prefix, tempFolder())
}

testStoreContract('object store', async () => {
  const store = openTestStore()
  return [store, openTestStore(`prefix/${opened}`)]
})

/** Lets requests of a kind fail `times` times. */
function failing(pattern: RegExp, fault: ReturnType<ObjectServer['fault']>, times = 1): void {
  let left = times
  server.fault = (request) => (pattern.test(request) && left-- > 0 ? fault : null)
}

test('a conditional write is sent once: without an answer, or with one that may pass, its outcome is unknown', async () => {
  const store = openTestStore()
  for (const fault of ['silent', 'lost', 409, 500, 503] as const) {
    const key = `conditional/${fault}`
    failing(/^PUT/, fault)
    const from = server.requests.length
    expect([fault, await store.putIfAbsent(key, Buffer.from('x'))]).toEqual([fault, 'unknown'])
    expect(server.requests.slice(from)).toHaveLength(1)
    expect((await store.get(key)) !== null).toBe(fault === 'silent')
  }
})

test('a write that is refused, or whose store is not there, is an error and never unknown', async () => {
  const store = openTestStore()
  for (const [status, code] of [
    [403, 'WAREHOUSE_STORE_UNSUITABLE'],
    [501, 'WAREHOUSE_STORE_UNSUITABLE'],
    [404, 'WAREHOUSE_STORE_UNSUITABLE'],
  ] as const) {
    failing(/^PUT/, status)
    await expect(store.putIfAbsent('a', Buffer.from('x'))).rejects.toMatchObject({ code })
  }
  const gone = await startObjectServer()
  await gone.close()
  const absent = openTestStore('gone', gone.url)
  await expect(absent.putIfAbsent('a', Buffer.from('x'))).rejects.toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: expect.stringContaining('does not answer (ECONNREFUSED)'),
  })
})

test('a probe whose answers are lost tries other names; a store that answers no write is refused', async () => {
  for (const fault of ['silent', 'lost', 412, 503] as const) {
    failing(/^PUT/, fault)
    expect([fault, await probeStore(openTestStore())]).toEqual([fault, true])
  }
  failing(/^PUT/, 'lost', 1_000)
  await expect(probeStore(openTestStore())).rejects.toMatchObject({
    code: 'WAREHOUSE_STORE_UNSUITABLE',
    message: expect.stringContaining('of 8 new names, each was refused or its write not answered'),
  })
  server.fault = () => null
})

test('reads and writes that may be repeated are, and give up after five attempts', async () => {
  const store = openTestStore()
  failing(/^PUT/, 'silent', 2)
  await store.replace('a', Buffer.from('one'))
  failing(/^GET/, 503, 2)
  expect((await store.get('a'))?.toString()).toBe('one')
  failing(/^GET/, 503, 5)
  await expect(store.get('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  failing(/^GET/, 403)
  await expect(store.get('a')).rejects.toMatchObject({ code: 'WAREHOUSE_STORE_UNSUITABLE' })
})

test('a copy is fetched once by all who need it, has the bytes of its hash, and is made again when it was damaged', async () => {
  const store = openTestStore()
  const bytes = Buffer.from('rows '.repeat(100))
  await store.putIfAbsent('t/part.parquet', bytes)
  const object = { key: 't/part.parquet', size_bytes: bytes.length, sha256: sha256Hex(bytes) }
  const from = server.requests.length
  const paths = await Promise.all([1, 2, 3].map(() => store.remote!.copyOf(object, false)))
  expect(new Set(paths).size).toBe(1)
  expect(readFileSync(paths[0]!)).toEqual(bytes)
  expect(server.requests.slice(from)).toHaveLength(1)
  writeFileSync(
    paths[0]!,
    bytes.map((byte) => byte ^ 1),
  )
  expect(readFileSync(await store.remote!.copyOf(object, true))).toEqual(bytes)
  expect(server.requests.slice(from)).toHaveLength(2)
  await store.replace(
    't/other.parquet',
    bytes.map((byte) => byte ^ 1),
  )
  const damaged = { ...object, key: 't/other.parquet', sha256: sha256Hex('other') }
  await expect(store.remote!.copyOf(damaged, false)).rejects.toMatchObject({ code: 'WAREHOUSE_CORRUPT' })
  const missing = { ...object, key: 't/missing.parquet', sha256: sha256Hex('missing') }
  await expect(store.remote!.copyOf(missing, false)).rejects.toThrow(
    'data file t/missing.parquet is damaged: it is missing',
  )
  expect(readdirSync(join(paths[0]!, '../../unfinished'))).toEqual([])
})

test('a list of several pages has every object', async () => {
  const store = openTestStore()
  const keys = Array.from({ length: 1001 }, (_, n) => `many/${String(n).padStart(4, '0')}`)
  for (const key of keys) server.objects.set(`bucket/prefix/${opened}/${key}`, Buffer.alloc(0))
  const listed: string[] = []
  for await (const { key } of store.list('many')) listed.push(key)
  expect(listed).toEqual(keys)
})

test('the clock is that of this machine while the store agrees, and the nearest that the store allows otherwise', () => {
  const date = 'Sat, 17 Jan 2026 00:00:10 GMT'
  const second = Date.parse(date) * 1000
  const clockAt = (wall: number) => {
    const clock = new StoreClock(() => wall)
    clock.observe(date, wall - 100)
    return clock.now()
  }
  expect(clockAt(second + 400_000)).toBe(second + 400_000)
  expect(clockAt(second - 30_000_000)).toBe(second)
  expect(clockAt(second + 30_000_000)).toBe(second + 2_000_100)
  const clock = new StoreClock(() => second)
  clock.observe('no date', second)
  expect(clock.now()).toBe(second)
})

test('the clock of a store that stood still does not go back, and one that was set is followed', () => {
  let wall = Date.parse('Sat, 17 Jan 2026 00:00:10 GMT') * 1000
  const clock = new StoreClock(() => wall)
  const answeredAt = (ahead_s: number) => {
    clock.observe(new Date(wall / 1000 + 1000 * ahead_s).toUTCString(), wall)
    return (clock.now() - wall) / 1_000_000
  }
  const next = (seconds: number) => {
    wall += 1_000_000 * seconds
  }
  expect(answeredAt(0)).toBe(0)
  next(8.4)
  // The answers of a server that was stopped for eight seconds, until it makes its next Date.
  expect([answeredAt(-8), answeredAt(-8), answeredAt(-1), answeredAt(0)]).toEqual([0, 0, 0, 0])
  next(1)
  expect([answeredAt(-60), answeredAt(-60)]).toEqual([0, 0])
  next(1)
  expect(answeredAt(-60)).toBeCloseTo(-58, 0)
  next(1)
  expect([answeredAt(30), answeredAt(30)].map(Math.round)).toEqual([-58, -58])
  next(1)
  expect(answeredAt(30)).toBeCloseTo(30, 0)
})

test('an address names a bucket and a path', () => {
  expect(parseS3Location('s3://bucket')).toEqual({ bucket: 'bucket', prefix: '' })
  expect(parseS3Location('s3://my-bucket/a/b/')).toEqual({ bucket: 'my-bucket', prefix: 'a/b' })
  for (const wrong of ['s3://', 's3://B', 's3://bucket//a', 's3://bucket/../a', '/bucket', 's3:/bucket']) {
    expect([wrong, parseS3Location(wrong)]).toEqual([wrong, null])
  }
})
