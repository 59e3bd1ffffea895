import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, cpSync, existsSync, lstatSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { ServiceError } from '../../../primitives/errors.ts'
import { programFolder } from './programs.ts'

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
/** Folder used under root for everything the server's user could not reach otherwise. */
const SYSTEM_FOLDER = '/var/lib/tidemark'
/** A socket path has at most 107 bytes, `/.s.PGSQL.5432` included. */
const SOCKET_FOLDER_BYTES_MAX = 90

/**
 * Chooses where and as whom the server runs. Postgres refuses to run as root: then it runs as the user `postgres`, created if
 * missing, which owns the data. That user must reach the data and the programs: closed folders above the data are opened for it
 * to pass through if they are ours; otherwise (a home below /root) data and a copy of the programs live under
 * /var/lib/tidemark.
 * @param folder absolute path of the data
 */
export function serverPaths(folder: string): ServerPaths {
  const user = serverUser()
  const data = user === undefined ? folder : reachableData(folder, user)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  own(data, user)
  return { bin: join(reachablePrograms(user), 'bin'), data, socket_folder: socketFolder(data, user), user }
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
  const parent = dirname(folder)
  mkdirSync(parent, { recursive: true })
  const closed = foldersTo(parent).filter((above) => !canPass(above, user))
  if (closed.every(isOurs)) {
    for (const above of closed) letPass(above, user)
    return folder
  }
  return join(systemFolder(), createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 16))
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
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 })
  return SYSTEM_FOLDER
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
