import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockHome } from '../../service/up/lock-home.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tidemark } from '../support/run-cli.ts'
import { ROOT } from '../support/source-files.ts'
import { tempFolder } from '../support/temp-folder.ts'

const folder = tempFolder()
const FILE = join(folder, 'file')
writeFileSync(FILE, '')
const SAMPLE_POLICY = join(ROOT, 'datasets', 'eligibility', 'sample-policy.yaml')

/** Homes that nobody can write, root included: a file, a folder below a file, and a folder that the system refuses without end. */
const UNUSABLE = [
  [FILE, 'EEXIST'],
  [join(FILE, 'home'), 'EEXIST'],
  ['/proc/no/home', 'ENOENT'],
] as const

test.each(UNUSABLE)('the home %s is refused with the code %s and what is allowed', async (home, code) => {
  for (const argv of [['up', '--once'], ['engine']]) {
    const { exit_code, stderr } = await tidemark(argv, { environment: { TIDEMARK_HOME: home } })
    expect({ argv, exit_code, stderr }).toEqual({
      argv,
      exit_code: 2,
      stderr: `error: home is ${home}, which cannot be used (${code}); allowed: a folder that can be written (VALIDATION_USAGE_INVALID)\n`,
    })
  }
})

test.each(['up', 'api', 'engine', 'worker'])('%s refuses a home whose restore has not ended', async (command) => {
  const home = tempFolder()
  writeFileSync(join(home, 'restore-unfinished.json'), '{}')
  const { exit_code, stderr } = await tidemark([command], { environment: { TIDEMARK_HOME: home } })
  expect({ exit_code, stderr }).toEqual({
    exit_code: 2,
    stderr: `error: home is ${home}, where a restore has not ended; allowed: wait for its end, or delete the folder and restore again (VALIDATION_USAGE_INVALID)\n`,
  })
  expect(readdirSync(home).filter((name) => name !== 'up.lock')).toEqual(['restore-unfinished.json'])
})

test('a warehouse that cannot be created is refused as unwritable', async () => {
  for (const root of [join(FILE, 'warehouse'), '/proc/no/warehouse']) {
    await expect(openWarehouse({ root, create: true })).rejects.toMatchObject({ code: 'WAREHOUSE_STORE_UNSUITABLE' })
  }
})

const DANGLING = join(folder, 'dangling')
symlinkSync(join(folder, 'absent'), DANGLING)

test.each([
  [FILE, `EEXIST: file already exists, mkdir '${FILE}'`],
  [DANGLING, `EEXIST: file already exists, mkdir '${DANGLING}'`],
  ['/proc/nope', "ENOENT: no such file or directory, mkdir '/proc/nope'"],
])('the cache %s is refused before the object store is asked', async (cache, seen) => {
  const environment = {
    TIDEMARK_HOME: join(folder, 'home'),
    TIDEMARK_WAREHOUSE: 's3://bucket/one',
    TIDEMARK_CACHE: cache,
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'test-key',
    AWS_SECRET_ACCESS_KEY: 'test-secret',
  }
  for (const argv of [
    ['sql', 'select 1'],
    ['eligibility', 'apply', SAMPLE_POLICY],
  ]) {
    const { exit_code, stderr } = await tidemark(argv, { environment })
    expect({ argv, exit_code }).toEqual({ argv, exit_code: 2 })
    expect(stderr).toMatch(/^error: folder \S+ of TIDEMARK_CACHE cannot be used /)
    expect(stderr).toContain(`(${seen}); allowed: a TIDEMARK_CACHE that this user may write to`)
  }
})

test('a disk that becomes full while the service works is named, and the lock is released', async () => {
  const home = join(folder, 'home')
  const full = lockHome(home, () => writeFile('/dev/full', 'bytes'))
  await expect(full).rejects.toMatchObject({
    code: 'WAREHOUSE_STORE_FULL',
    message: `the disk of home ${home} is full; free some space and try again`,
  })
  await expect(lockHome(home, async () => 'free again')).resolves.toBe('free again')
})

test('a failed write outside the home keeps its own error', async () => {
  const home = join(folder, 'home')
  const elsewhere = lockHome(home, async () => mkdirSync(join(FILE, 'elsewhere')))
  await expect(elsewhere).rejects.toMatchObject({ code: 'ENOTDIR' })
  expect(existsSync(home)).toBe(true)
})
