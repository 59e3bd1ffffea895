import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Address of a Temporal server. */
export type ServerAddress = {
  /** host:port of its gRPC service. */
  readonly address: string
  /** Its web page; null if unknown. */
  readonly ui_url: string | null
  readonly namespace: string
  /** TLS of a remote server; without it the connection is unencrypted, as on this machine. */
  readonly security?: ServerSecurity
}

/** TLS settings: PEM files, read at each connection, so that certificates can be renewed while a process runs. */
export type ServerSecurity = {
  /** CA of the server's certificate; null: the machine's trusted CAs. */
  readonly server_ca_path: string | null
  /** Name in the server's certificate; null: the host of the address. */
  readonly server_name: string | null
  readonly client: { readonly cert_path: string; readonly key_path: string } | null
  readonly api_key: string | null
}

type ServerFile = ServerAddress & { readonly owner_pid: number }

/** Returns the folder of a home's dev server: its database, log and address file. */
export function serverFolder(home: string): string {
  return join(home, 'temporal')
}

/** Publishes the server's address to the other processes of a home. */
export async function writeServerFile(folder: string, server: ServerAddress): Promise<void> {
  const file = join(folder, 'server.json')
  const text: ServerFile = { ...server, owner_pid: process.pid }
  await mkdir(folder, { recursive: true })
  await writeFile(`${file}.${process.pid}`, `${JSON.stringify(text, null, 2)}\n`)
  await rename(`${file}.${process.pid}`, file)
}

/** Returns the server that another process of this home runs; null if there is none. */
export async function readServerFile(folder: string): Promise<ServerAddress | null> {
  const found = await readFound(folder)
  if (found === null || found.owner_pid === process.pid || !isRunning(found.owner_pid)) return null
  const { address, ui_url, namespace } = found
  return { address, ui_url, namespace }
}

/** Removes the address of a server that this process ran. */
export async function removeServerFile(folder: string): Promise<void> {
  const found = await readFound(folder)
  if (found?.owner_pid === process.pid) await rm(join(folder, 'server.json'), { force: true })
}

async function readFound(folder: string): Promise<ServerFile | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'server.json'), 'utf8')) as ServerFile
  } catch {
    return null // missing or unreadable
  }
}

/** Returns true if a process exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
