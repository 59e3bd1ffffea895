import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ServiceError } from '../../../primitives/errors.ts'
import { programFolder } from './programs.ts'
import { foreignFolder } from './run-as.ts'

/** User that runs the server; undefined: the current one. */
type ServerUser = { readonly uid: number; readonly gid: number } | undefined

/** Folders of an embedded server's programs, data and socket, and its user. */
export type ServerPaths = {
  readonly bin: string
  readonly data: string
  readonly socket_folder: string
  readonly user: ServerUser
}

const USER_NAME = 'postgres'
/**
 * Folders used under root for everything the server's user could not reach otherwise: new data goes into the first. Earlier
 * releases used the second, which is the home of a service user in deploy/systemd.
 */
const SYSTEM_FOLDERS = ['/var/lib/tidemark-root', '/var/lib/tidemark'] as const
/** A socket path has at most 107 bytes, `/.s.PGSQL.5432` included. */
const SOCKET_FOLDER_BYTES_MAX = 90

/**
 * Chooses where and as whom the server runs. Postgres refuses to run as root: then it runs as the user `postgres`, created if
 * missing, which owns the data. That user must reach the data and the programs: closed folders above the data are opened for it
 * to pass through if they are ours; otherwise (a home below /root) data and a copy of the programs live in SYSTEM_FOLDERS.
 * @param folder absolute path of the data
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: data exists that this user cannot open
 */
export function serverPaths(folder: string): ServerPaths {
  const user = serverUser()
  const data = existingData(folder) ?? (user === undefined ? folder : reachableData(folder, user))
  refuseForeign(data, folder, user)
  if (user !== undefined) requireReachable(data, user)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  own(data, user)
  return { bin: join(reachablePrograms(user), 'bin'), data, socket_folder: socketFolder(data, user), user }
}

/**
 * Returns where the data of a server is, and writes nothing; null: there is none. That of the folder itself wins.
 * @param folder absolute path of the data
 */
export function existingData(folder: string, system_folders: readonly string[] = SYSTEM_FOLDERS): string | null {
  if (holdsData(folder)) return folder
  return system_folders.map((above) => join(above, nameOf(folder))).find((place) => existsSync(place)) ?? null
}

/** Returns whether a folder has files. One that may not be listed counts as full: no other data is made beside it. */
function holdsData(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES'
  }
}

/** Refuses data of another user: the server would not start on it. Root starts it for its own home as the user `postgres`. */
function refuseForeign(data: string, folder: string, user: ServerUser): void {
  const owner = existsSync(data) ? statSync(data).uid : undefined
  const ours = process.getuid?.()
  if (owner === undefined || owner === ours || owner === user?.uid) return
  const starter = data === folder ? statSync(dirname(folder)).uid : 0
  throw foreignFolder('the trading database', data, starter === ours ? owner : starter, 'tidemark ...')
}

/** Opens the closed folders above existing data for its user. */
function requireReachable(data: string, user: NonNullable<ServerUser>): void {
  if (openAbove(data, user)) return
  throw new ServiceError(
    'VALIDATION_USAGE_INVALID',
    `the trading database is ${data}, which the user ${USER_NAME} cannot reach; allowed: folders above it that this user may pass`,
    { data },
  )
}

function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return undefined
  const ask = (flag: string) => {
    try {
      const text = execFileSync('id', [flag, USER_NAME], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
      return Number.parseInt(text, 10)
    } catch {
      return null
    }
  }
  if (ask('-u') === null) makeUser()
  const [uid, gid] = [ask('-u'), ask('-g')]
  if (uid !== null && gid !== null) return { uid, gid }
  throw new ServiceError(
    'SERVICE_UNAVAILABLE',
    `Postgres does not run as root and there is no user ${USER_NAME}; make one, or run as another user`,
  )
}

function makeUser(): void {
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', USER_NAME], { stdio: 'ignore' })
  } catch {
    // Another process may have created it meanwhile: the caller checks again and reports.
  }
}

function reachableData(folder: string, user: NonNullable<ServerUser>): string {
  mkdirSync(dirname(folder), { recursive: true })
  return openAbove(folder, user) ? folder : join(systemFolder(), nameOf(folder))
}

function nameOf(folder: string): string {
  return createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16)
}

/** Lets a user pass to a folder; false, and nothing is changed, if a folder above it is closed and not ours. */
function openAbove(folder: string, user: NonNullable<ServerUser>): boolean {
  const closed = foldersTo(dirname(folder)).filter((above) => !canPass(above, user))
  if (!closed.every(isOurs)) return false
  for (const above of closed) letPass(above, user)
  return true
}

/** Returns whether we may open a folder: it is our own, and not at the top level such as /root. */
function isOurs(folder: string): boolean {
  return statSync(folder).uid === process.getuid?.() && dirname(dirname(folder)) !== dirname(folder)
}

/** Lets the server's group pass through a folder, without listing it; others get nothing. */
function letPass(folder: string, { gid }: NonNullable<ServerUser>): void {
  chownSync(folder, -1, gid)
  chmodSync(folder, (statSync(folder).mode & 0o707) | 0o010)
}

function reachablePrograms(user: ServerUser): string {
  const folder = programFolder()
  if (user === undefined || canReach(folder, user)) return folder
  const copy = join(systemFolder(), `programs-${statSync(join(folder, 'bin', 'postgres')).size}`)
  if (existsSync(copy)) return copy
  const half = `${copy}-${process.pid}`
  cpSync(folder, half, { recursive: true, verbatimSymlinks: true })
  renameSync(half, copy)
  return copy
}

function systemFolder(): string {
  mkdirSync(SYSTEM_FOLDERS[0], { recursive: true, mode: 0o755 })
  return SYSTEM_FOLDERS[0]
}

function canReach(folder: string, user: NonNullable<ServerUser>): boolean {
  return foldersTo(folder).every((above) => canPass(above, user))
}

/** Returns a folder and all above it, outermost first. */
function foldersTo(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...foldersTo(parent), folder]
}

function canPass(folder: string, { uid, gid }: NonNullable<ServerUser>): boolean {
  if (!existsSync(folder)) return true
  const stats = statSync(folder)
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001
  return (stats.mode & bit) !== 0
}

/** Returns the socket's folder: the data folder, which nobody else can enter, or an equally closed short one if the path is too long. */
function socketFolder(data: string, user: ServerUser): string {
  if (Buffer.byteLength(data) <= SOCKET_FOLDER_BYTES_MAX) return data
  const short = join(tmpdir(), `tidemark-${createHash('sha256').update(data).digest('hex').slice(0, 16)}`)
  mkdirSync(short, { recursive: true, mode: 0o700 })
  const { uid } = lstatSync(short)
  if (uid !== (process.getuid?.() ?? uid) && uid !== user?.uid) {
    throw new ServiceError(
      'SERVICE_UNAVAILABLE',
      `${short} belongs to another user; remove it or choose a shorter home`,
    )
  }
  own(short, user)
  return short
}

function own(folder: string, user: ServerUser): void {
  chmodSync(folder, 0o700)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
}
