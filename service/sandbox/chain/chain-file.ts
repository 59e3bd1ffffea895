import { readFileSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sandboxFolder } from '../sandbox-file.ts'

/** Addresses that a sandbox asks: a chain of this machine and no other. */
const OF_THIS_MACHINE = /^http:\/\/127\.0\.0\.1:\d{1,5}$/

/** Returns the JSON-RPC address of the chain that runs beside a sandbox; null: none does. */
export function readChainAddress(home: string): string | null {
  try {
    const { rpc_url } = JSON.parse(readFileSync(fileOf(home), 'utf8')) as { rpc_url?: unknown }
    return typeof rpc_url === 'string' && OF_THIS_MACHINE.test(rpc_url) ? rpc_url : null
  } catch {
    // Most sandboxes have no chain; one that is being written is read with the next signature.
    return null
  }
}

/** Names the chain of a sandbox, so that the API asks it. */
export async function writeChainAddress(home: string, rpc_url: string): Promise<void> {
  await mkdir(sandboxFolder(home), { recursive: true, mode: 0o700 })
  const unfinished = `${fileOf(home)}.${process.pid}`
  await writeFile(unfinished, `${JSON.stringify({ rpc_url })}\n`, { mode: 0o600 })
  await rename(unfinished, fileOf(home))
}

/** Removes the name of a chain that ends; smart accounts are then unsupported again. */
export async function removeChainAddress(home: string): Promise<void> {
  await rm(fileOf(home), { force: true })
}

function fileOf(home: string): string {
  return join(sandboxFolder(home), 'chain.json')
}
