import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { isAlive } from '../../../trading/store/postgres/postmaster-file.ts'
import { type StartedPostgres, startPostgres } from '../../../trading/store/start-postgres.ts'
import { tempFolder } from '../../support/temp-folder.ts'

const folder = join(tempFolder(), 'home', 'postgres')
const open: StartedPostgres[] = []

async function start(): Promise<StartedPostgres> {
  const started = await startPostgres({ folder, onError: () => undefined })
  open.push(started)
  return started
}

afterEach(async () => {
  for (const started of open.splice(0)) await started.stop()
})

async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await sleep(10)
}

describe('an embedded server', () => {
  test('starts from nothing, keeps what was written, and ends', async () => {
    const first = await start()
    await first.pool.query("INSERT INTO trading.asset VALUES ('asset_usd', 6)")
    open.length = 0
    await first.stop()
    expect(isAlive(first.server_pid!)).toBe(false)
    const second = await start()
    expect((await second.pool.query('SELECT * FROM trading.asset')).rows).toEqual([{ asset_id: 'asset_usd', scale: 6 }])
  })

  test('killed with signal 9 leaves a file that names it; the next start is not held up', async () => {
    const first = await start()
    process.kill(first.server_pid!, 'SIGKILL')
    await gone(first.server_pid!)
    expect(existsSync(join(folder, 'postmaster.pid'))).toBe(true)
    const second = await start()
    expect(second.server_pid).not.toBe(first.server_pid)
    expect((await second.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('killed while another process joins it: that one starts it again', async () => {
    const first = await start()
    // It looks ready and takes connections, but none is answered.
    process.kill(first.server_pid!, 'SIGSTOP')
    const joining = start()
    await sleep(300)
    process.kill(first.server_pid!, 'SIGKILL')
    const second = await joining
    expect(second.server_pid).not.toBe(first.server_pid)
    expect((await second.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  test('a file that names a process of somebody else is passed over', async () => {
    const first = await start()
    open.length = 0
    await first.stop()
    writeFileSync(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n0\n5432\n${folder}\n\n0\nready\n`)
    const second = await start()
    expect(second.server_pid).not.toBe(process.pid)
  })

  test('an orphan of a process that was killed is joined, and ended by whoever joined it', async () => {
    const first = await start()
    open.length = 0
    await first.pool.end()
    writeFileSync(join(folder, 'owner.pid'), '999999999\n')
    const second = await start()
    expect(second.server_pid).toBe(first.server_pid)
    open.length = 0
    await second.stop()
    expect(isAlive(first.server_pid!)).toBe(false)
  })

  test('whose first user was killed is ended by the last that is asked to end', async () => {
    const first = await start()
    writeFileSync(join(folder, 'owner.pid'), '1\n')
    const second = await start()
    open.length = 0
    await first.pool.end()
    writeFileSync(join(folder, 'owner.pid'), '999999999\n')
    await second.stop()
    expect(isAlive(first.server_pid!)).toBe(false)
  })

  test('belongs to the process that uses it first: another one that ends leaves it', async () => {
    const first = await start()
    // Process 1 runs as long as the machine does.
    writeFileSync(join(folder, 'owner.pid'), '1\n')
    const second = await start()
    await second.stop()
    open.splice(open.indexOf(second), 1)
    expect(isAlive(first.server_pid!)).toBe(true)
    writeFileSync(join(folder, 'owner.pid'), `${process.pid}\n`)
  })

  test('writes to the disk before it tells', async () => {
    const { pool } = await start()
    for (const name of ['fsync', 'synchronous_commit', 'full_page_writes']) {
      expect((await pool.query(`SHOW ${name}`)).rows).toEqual([{ [name]: 'on' }])
    }
  })
})

describe('a pool', () => {
  test('outlives its server: queries fail while it is away, and work again after', async () => {
    const first = await start()
    await first.pool.query('SELECT 1')
    const held = await first.pool.connect()
    process.kill(first.server_pid!, 'SIGKILL')
    await gone(first.server_pid!)
    await expect(held.query('SELECT 1')).rejects.toThrow()
    held.release(true)
    await expect(first.pool.query('SELECT 1')).rejects.toThrow()
    await start()
    expect((await first.pool.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }])
  })

  test('gives whole numbers, microseconds, hex and JSON', async () => {
    const { pool } = await start()
    const { rows } = await pool.query(
      `SELECT 9007199254740991::bigint AS whole, '2026-01-31 12:00:00.123456+00'::timestamptz AS instant,
              '\\xab01'::bytea AS bytes, '{"a":[1]}'::json AS json, ARRAY['a','b'] AS texts`,
    )
    expect(rows).toEqual([
      { whole: 9007199254740991, instant: 1769860800123456, bytes: 'ab01', json: { a: [1] }, texts: ['a', 'b'] },
    ])
    await expect(pool.query('SELECT 9007199254740993::bigint')).rejects.toThrow('safe integer')
  })
})

test('DATABASE_URL is used as it is, and stopping leaves that server alone', async () => {
  const embedded = await start()
  const other = await startPostgres({ database_url: embedded.url, folder: '/nowhere' })
  expect(other.server_pid).toBeNull()
  await other.stop()
  expect(isAlive(embedded.server_pid!)).toBe(true)
})

test('a server that cannot be reached is named without its password', async () => {
  const failure = startPostgres({ database_url: 'postgresql://me:secret@127.0.0.1:9/db', folder: '/nowhere' })
  await expect(failure).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(failure).rejects.not.toThrow(/secret/)
})

test('the log of the server lies with its data', async () => {
  await start()
  expect(readFileSync(join(folder, 'server.log'), 'utf8')).toContain('ready to accept connections')
})
