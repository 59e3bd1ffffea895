import { createHash } from 'node:crypto'
import { chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { commandPath, HOMELESS } from '../../cli/command.ts'
import { buildProgram } from '../../cli/program.ts'
import { createOutput } from '../../service/output.ts'
import { knownDatabase } from '../../service/trading/open-database.ts'
import { existingData, serverPaths } from '../../trading/store/postgres/server-paths.ts'
import { openWarehouse } from '../../warehouse/warehouse.ts'
import { tidemark } from '../support/run-cli.ts'
import { tempFolder } from '../support/temp-folder.ts'

const NOBODY = 65_534
const SOMEBODY = 12_345

afterEach(() => vi.restoreAllMocks())

/** A home of another user, seen by root. Run by an ordinary user, the home is that user's, and the process believes to be root. */
async function foreignHome(): Promise<{ readonly home: string; readonly owner: number }> {
  const home = join(tempFolder(), 'home')
  await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
  mkdirSync(join(home, 'postgres'), { mode: 0o700 })
  writeFileSync(join(home, 'postgres', 'PG_VERSION'), '18\n')
  if (process.getuid!() === 0) for (const path of ['', ...pathsOf(home)]) chownSync(join(home, path), NOBODY, NOBODY)
  else vi.spyOn(process, 'getuid').mockReturnValue(0)
  return { home, owner: statSync(home).uid }
}

const pathsOf = (folder: string) => (readdirSync(folder, { recursive: true }) as string[]).sort()

test('root is refused in a home of another user by every command, before anything is written', async () => {
  const { home, owner } = await foreignHome()
  const before = pathsOf(home)
  const backups = join(tempFolder(), 'backups')
  const COMMANDS = [
    ['backup', backups],
    ['restore', backups],
    ['upgrade', '--check'],
    ['audit'],
    ['audit', '--trading'],
    ['operator', 'list'],
    ['account', 'list'],
    ['tables'],
    ['sql', 'select 1'],
    ['vacuum'],
    ['log', 'append'],
    ['up', '--once'],
    ['api'],
    ['engine'],
    ['worker'],
  ]
  for (const argv of COMMANDS) {
    const { exit_code, stdout, stderr } = await tidemark([...argv, '--home', home])
    expect({ argv, exit_code, stdout }).toEqual({ argv, exit_code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^error: home is .*, which belongs to user \S+; allowed: run it as user \S+: \S+ .* tidemark /,
    )
    expect(stderr).toContain(`${home}, which`)
  }
  expect(pathsOf(home)).toEqual(before)
  expect(before.filter((path) => statSync(join(home, path)).uid !== owner)).toEqual([])
  expect(existsSync(backups)).toBe(false)
  const environment = { TIDEMARK_HOME: tempFolder(), TIDEMARK_WAREHOUSE: join(home, 'warehouse') }
  // That folder is root's, or believed to be another's as well.
  expect((await tidemark(['tables'], { environment })).stderr).toMatch(/^error: (warehouse|home) is .* belongs to user/)
  expect((await tidemark(['config', '--home', home])).exit_code).toBe(0)
})

test('commands without a home are commands', async () => {
  const context = { output: createOutput(process, false), environment: {}, finish: () => undefined }
  const program = await buildProgram({ ...context, signal: new AbortController().signal }, process)
  const paths = new Set(
    program.commands.flatMap((command) => [command, ...command.commands]).map((command) => commandPath(command)),
  )
  expect(HOMELESS.filter((name) => !paths.has(`tidemark ${name}`))).toEqual([])
})

test('data of another user is refused with its name, and is not taken over', () => {
  const home = tempFolder()
  const data = join(home, 'postgres')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(join(data, 'PG_VERSION'), '18\n')
  vi.spyOn(process, 'getuid').mockReturnValue(SOMEBODY)
  expect(() => serverPaths(data)).toThrow(
    /the trading database is .*, which belongs to user \S+; allowed: run it as user/,
  )
})

test('data that exists is found: in the folder, else where root kept it', () => {
  const folder = join(tempFolder(), 'postgres')
  const [system, older] = [tempFolder(), tempFolder()]
  expect(existingData(folder, [system, older])).toBeNull()
  mkdirSync(folder)
  expect(existingData(folder, [system, older])).toBeNull()
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  mkdirSync(join(older, name))
  expect(existingData(folder, [system, older])).toBe(join(older, name))
  writeFileSync(join(folder, 'PG_VERSION'), '18\n')
  expect(existingData(folder, [system, older])).toBe(folder)
})

test.each([
  ['account', 'list'],
  ['operator', 'list'],
  ['audit', '--trading'],
])('%s %s makes no database where there is none', async (...argv) => {
  const home = join(tempFolder(), 'home')
  const { exit_code, stderr } = await tidemark([...argv, '--home', home])
  expect([exit_code, stderr]).toEqual([
    4,
    `error: ${join(home, 'postgres')} has no trading database; allowed: the home of a service that has one, or DATABASE_URL as the service has it (SERVICE_UNAVAILABLE)\n`,
  ])
  expect(existsSync(home)).toBe(false)
})

test.each(['trading-database.json', 'key-encryption.key', 'operator-keys/ann.json', 'postgres/base'])(
  'a backup is refused where the home has %s, and no database',
  async (file) => {
    const home = join(tempFolder(), 'home')
    await (await openWarehouse({ root: join(home, 'warehouse'), create: true })).close()
    mkdirSync(join(home, file, '..'), { recursive: true })
    writeFileSync(join(home, file), '')
    const backups = join(tempFolder(), 'backups')
    const { exit_code, stderr } = await tidemark(['backup', backups, '--home', home])
    expect(exit_code).toBeGreaterThan(1)
    expect(stderr).toMatch(file.startsWith('postgres') ? 'no PG_VERSION' : 'allowed: DATABASE_URL as')
    expect(existsSync(join(backups, 'backups'))).toBe(false)
    if (file !== 'trading-database.json') return
    expect((await tidemark(['account', 'list', '--home', home])).stderr).toContain('DATABASE_URL is not set')
    expect(() => knownDatabase({ database_url: '', home })).toThrow('DATABASE_URL is not set')
  },
)
