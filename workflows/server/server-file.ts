import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Where a Temporal server answers. */
export type ServerAddress = {
  /** host:port of its gRPC service. */
  readonly address: string
  /** Its web page; null where we do not know of one. */
  readonly ui_url: string | null
  readonly namespace: string
  /** How a remote one is spoken to; left out: in the clear, as one of this machine. */
  readonly security?: ServerSecurity
}

/** TLS: files are PEM and read at each connection, so that a certificate can be renewed under a process that runs. */
export type ServerSecurity = {
  /** Who signed the server's certificate; null: whom this machine trusts. */
  readonly server_ca_path: string | null
  /** Whom it must be for; null: the host of the address. */
  readonly server_name: string | null
  readonly client: { readonly cert_path: string; readonly key_path: string } | null
  readonly api_key: string | null
}

type ServerFile = ServerAddress & { readonly owner_pid: number }

/** Folder of the dev server of one home: its database, its log, and where it answers. */
export function serverFolder(home: string): string {
  return join(home, 'temporal')
}

/** Tells the other processes of a home where the server answers. */
export async function writeServerFile(folder: string, server: ServerAddress): Promise<void> {
  const file = join(folder, 'server.json')
  const text: ServerFile = { ...server, owner_pid: process.pid }
  await mkdir(folder, { recursive: true })
  await writeFile(`${file}.${process.pid}`, `${JSON.stringify(text, null, 2)}\n`)
  await rename(`${file}.${process.pid}`, file)
}

/** The server that another process of this home runs; null where there is none. */
export async function readServerFile(folder: string): Promise<ServerAddress | null> {
  const found = await readFound(folder)
  if (found === null || found.owner_pid === process.pid || !isRunning(found.owner_pid)) return null
  const { address, ui_url, namespace } = found
  return { address, ui_url, namespace }
}

/** Forgets a server that this process ran. */
export async function removeServerFile(folder: string): Promise<void> {
  const found = await readFound(folder)
  if (found?.owner_pid === process.pid) await rm(join(folder, 'server.json'), { force: true })
}

async function readFound(folder: string): Promise<ServerFile | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'server.json'), 'utf8')) as ServerFile
  } catch {
    return null // there is none, or it is no longer of use
  }
}

/** Whether a process is there. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
